import { ledger } from '../../../shared/api/ledger.ts'
import { logType } from '../../../shared/enums.ts'
import { formatMessage } from '../../../shared/messages/format.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { LedgerChecks } from '../../billing/ledger-checks.ts'
import type { Upkeep } from '../../billing/upkeep.ts'
import { ledgerCheckStore } from '../../store/ledger/ledger-checks.ts'
import type { Db } from '../../store/sqlite/database.ts'
import { type Served, serve } from '../serve.ts'
import { checkView, differenceViews } from './ledger-view.ts'

type LedgerApiDeps = Readonly<{
  db: Db
  auditLog: AuditLog
  checks: LedgerChecks
  upkeep: Upkeep
  clock: Clock
}>

const MAX_CHECKS = 20
const MAX_DIFFERENCES = 200

/** Checks of balances against the ledger, and the deletion of old data (docs/reference/billing.md#reconciliation). */
export function ledgerApi({ db, auditLog, checks, upkeep, clock }: LedgerApiDeps): Served[] {
  const store = ledgerCheckStore(db)
  return serve(ledger, {
    state: async () => ({
      running: checks.running(),
      checks: (await store.newest(MAX_CHECKS)).map(checkView),
      differences: await differenceViews(db, await store.unacknowledged(MAX_DIFFERENCES)),
      is_cleaning: upkeep.isCleaning(),
      cleanup: upkeep.lastCleanup(),
    }),
    verify: ({ body, actor }) => {
      checks.begin(body.scope, { kind: 'user', username: actor.username })
      return null
    },
    cancel: () => {
      checks.cancel()
      return null
    },
    acknowledge: async ({ params, actor, caller }) => {
      const now = unixSeconds(clock)
      const one = await store.acknowledge(params.id, now, actor.username)
      if (!one) throw refuse('missing', 'ledger.difference_gone')
      const { account, account_id: id, column_name: column, recorded, summed } = one
      auditLog.record({
        user_id: 0,
        created_at: now,
        type: logType.manage,
        content: formatMessage(caller.locale, 'ledger.acknowledged', { account, id, column, recorded, summed }),
        other: JSON.stringify({ admin_info: { actor: { id: actor.id, username: actor.username } } }),
      })
      return null
    },
    cleanUp: () => {
      upkeep.cleanUp()
      return null
    },
  })
}
