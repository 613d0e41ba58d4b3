import { logType } from '../../../shared/enums.ts'
import { formatQuota } from '../../../shared/money.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { logMessage } from '../../base/localized-message.ts'
import type { Ledger, Refund } from '../../billing/ledger.ts'
import type { Settings } from '../../settings/settings.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'

export type FinishDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'refund'>
  settings: Pick<Settings, 'get'>
  clock: Clock
}>

/** A task that has failed. */
type FailedTask = Readonly<{
  /** The vendor's id of it, as its account knows it. */
  name: string
  userId: number
  requestId: string
  /** What was charged; 0 where nothing was. */
  quota: number
  /** Writes that it has failed, unless it is finished already; false where it is. */
  write: Refund['together']
}>

/**
 * Ends a task that has failed and takes its charge back (docs/reference/tasks.md#refunds). The row is finished by one
 * guarded statement in the transaction that gives back: of a poll, a notice and another node that come at once one finds it
 * unfinished.
 */
export async function failTask({ db, ledger, settings, clock }: FinishDeps, task: FailedTask): Promise<void> {
  const { name, userId, requestId, quota } = task
  if (quota === 0) return void (await db.transaction().execute(task.write))
  const owner = await userStore(db).evenDeactivated(userId)
  await ledger.refund({
    requestId,
    together: task.write,
    log: (amount) => ({
      user_id: userId,
      username: owner?.username ?? '',
      created_at: unixSeconds(clock),
      type: logType.system,
      ...logMessage([{ key: 'task.refunded', params: { name: name.slice(0, 200), amount: shown(settings, amount) } }]),
      request_id: requestId,
    }),
  })
}

/** An amount as people read it. */
const shown = (settings: Pick<Settings, 'get'>, quota: number): string =>
  formatQuota(
    quota,
    { inCurrency: settings.get('DisplayInCurrencyEnabled'), quotaPerUnit: settings.get('QuotaPerUnit') },
    6,
  )
