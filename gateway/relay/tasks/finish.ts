import { logType } from '../../../shared/enums.ts'
import { formatQuota } from '../../../shared/money.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { logMessage } from '../../base/localized-message.ts'
import type { Ledger, Refund } from '../../billing/ledger.ts'
import { ChargeExpected } from '../../billing/refund.ts'
import type { Settings } from '../../settings/settings.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'

export type FinishDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'refund'>
  settings: Pick<Settings, 'get'>
  clock: Clock
}>

type FailedTask = Readonly<{
  /** The vendor's id of the task, which its account knows. */
  name: string
  userId: number
  requestId: string
  /** When it was ordered, in unix seconds. */
  orderedAt: number
  quota: number
  /** Marks the task as failed unless it is already finished; returns whether it was unfinished. */
  write: Refund['together']
}>

/**
 * Ends a failed task and refunds its charge (docs/reference/tasks.md#refunds). The row is finished by one guarded
 * statement in the refund's transaction: if a poll, a notice and another node do so at the same time, only one of them
 * finds it unfinished. As long as another node has not written the charge, the task stays unfinished, and its next poll
 * fails it.
 */
export async function failTask({ db, ledger, settings, clock }: FinishDeps, task: FailedTask): Promise<void> {
  const { name, userId, requestId, orderedAt, quota } = task
  if (quota === 0) return void (await db.transaction().execute(task.write))
  const owner = await userStore(db).evenDeactivated(userId)
  const refunded = ledger.refund({
    requestId,
    orderedAt,
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
  await refunded.catch((error: unknown) => {
    if (!(error instanceof ChargeExpected)) throw error
  })
}

const shown = (settings: Pick<Settings, 'get'>, quota: number): string =>
  formatQuota(
    quota,
    { inCurrency: settings.get('DisplayInCurrencyEnabled'), quotaPerUnit: settings.get('QuotaPerUnit') },
    6,
  )
