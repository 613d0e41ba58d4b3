import { logType, redemptionStatus, role } from '../../shared/enums.ts'
import type { Locale } from '../../shared/messages/format.ts'
import { ownLogRow } from '../audit/log-rows.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import type { Ledger } from '../billing/ledger.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import { type RedemptionRow, redemptionStore } from '../store/ledger/redemptions.ts'
import type { Db } from '../store/sqlite/database.ts'

export type RedeemDeps = Readonly<{
  db: Db
  ledger: Pick<Ledger, 'move'>
  clock: Clock
  show: (quota: number) => string
  /** Counts invalid keys, by account. */
  wrongKeys: RateWindow
}>

type Redeemer = Readonly<{ id: number; username: string; role: number; locale: Locale }>

/**
 * Adds the value of a redemption key to a balance, once, and returns that value (docs/reference/wallet.md#redeeming).
 */
export type Redeem = (by: Redeemer, key: string) => Promise<number>

/** Max attempts to redeem a code that an administrator changes concurrently. */
const MAX_TRIES = 3

/** The code, the balance, the ledger and the log change in one transaction. */
export function createRedeem(deps: RedeemDeps): Redeem {
  const { db, clock, wrongKeys } = deps
  return async (by, typed) => {
    const key = typed.trim()
    if (key === '') throw refuse('invalid', 'redeem.empty')
    // Administrators can read and change all codes, so they cannot redeem them.
    if (by.role >= role.admin && by.role < role.root) throw refuse('forbidden', 'redeem.administrator')
    const account = String(by.id)
    // Counted before the lookup, so that concurrent attempts are limited too.
    const wait = await wrongKeys.take(account)
    if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
    for (let tries = 1; ; tries += 1) {
      const row = await redemptionStore(db).byKey(key)
      if (!row) throw refuse('invalid', 'redeem.invalid')
      // A user with a valid key is not guessing.
      if (tries === 1) await wrongKeys.clear(account)
      // The creator was an administrator at the time.
      if (row.user_id === by.id && by.role < role.root) throw refuse('forbidden', 'redeem.own')
      const now = unixSeconds(clock)
      const closed = whyClosed(row, now)
      if (closed) throw closed
      if (await credit(deps, row, by, now)) return row.quota
      if (tries === MAX_TRIES) throw refuse('invalid', 'redeem.used')
    }
  }
}

/** Why a code cannot be redeemed; discloses only what its holder needs to know. */
function whyClosed({ status, expired_time: end }: RedemptionRow, now: number): GatewayError | undefined {
  if (status !== redemptionStatus.unused) return refuse('invalid', 'redeem.used')
  return end !== 0 && end < now ? refuse('invalid', 'redeem.expired') : undefined
}

/** Returns false if the code was redeemed or changed concurrently; the caller reads it again. */
async function credit(
  { ledger, clock, show }: RedeemDeps,
  row: RedemptionRow,
  { id, username, locale }: Redeemer,
  now: number,
): Promise<boolean> {
  const changed = new Error('the code is not as it was')
  const log = ownLogRow({ id, username, clock, locale }, 'log.redeem', { amount: show(row.quota), id: row.id })
  try {
    await ledger.move({
      kind: 'redeem',
      userId: id,
      amount: row.quota,
      refType: 'redemption',
      refId: String(row.id),
      async together(transaction) {
        if (!(await redemptionStore(transaction).use(row, id, now))) throw changed
      },
      log: { ...log, type: logType.topUp },
    })
    return true
  } catch (error) {
    if (error === changed) return false
    throw error
  }
}
