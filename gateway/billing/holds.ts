import { refuse } from '../base/errors.ts'
import { STORAGE_UNAVAILABLE } from '../base/storage-fault.ts'
import type { Balances, TokenBalance, UserBalance } from './balances.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Journal } from './journal.ts'
import type { Charge, Hold, HoldRequest } from './ledger.ts'
import { lineOf } from './replay.ts'
import type { Queue } from './write-queue.ts'

/** A hold whose charge is in the journal when `settle` returns, unless the disk failed. */
export interface JournaledHold extends Hold {
  settle(charge: Charge): void
}

type HoldDeps = Readonly<{
  balances: Balances
  journal: Journal
  queue: Queue
  checkpoints: Checkpoints
  deps: Readonly<{
    show: (quota: number) => string
    /**
     * Called synchronously after a charge if the remaining balance is below `remindBelow` of the hold; must return
     * immediately.
     */
    onLow?: (userId: number, left: number) => void
    /** Whether hourly usage is counted with the charges. */
    isCounted: () => boolean
  }>
  installation: string
  sequence: number
}>

/** Journals charges and queues them for the next group commit. */
function createChargeWriter(given: HoldDeps) {
  const { journal, queue, checkpoints, deps, installation } = given
  let { sequence } = given
  /** Settled requests that are in neither journal nor database, as far as is known: their checkpoints are retained. */
  const unjournalled: string[] = []
  const forgetUnjournalled = () => {
    const ids = unjournalled.splice(0)
    void queue.flush().then(
      () => ids.forEach(checkpoints.done),
      () => unjournalled.push(...ids),
    )
  }
  return ({ requestId, userId, tokenId }: HoldRequest, limited: boolean, charge: Charge) => {
    sequence += 1
    const isUncounted = !deps.isCounted()
    const entry = { sequence, requestId, userId, tokenId, limited, charge, note: null, isUncounted }
    try {
      journal.append(lineOf(installation, entry))
      checkpoints.done(requestId)
    } catch (error) {
      queue.storageFailed(error)
      unjournalled.push(requestId)
    }
    queue.add(entry)
    if (unjournalled.length > 0 && queue.healthy()) forgetUnjournalled()
  }
}

/** Reserves and settles in memory, with a journal line before the last byte is sent. */
export function createHolds(given: HoldDeps) {
  const { balances, queue, checkpoints, deps } = given
  const write = createChargeWriter(given)
  return {
    hold(request: HoldRequest): JournaledHold {
      if (!queue.healthy()) throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE })
      const user = balances.user(request.userId)
      const token = request.tokenId > 0 ? balances.token(request.tokenId) : undefined
      if (!user) throw refuse('unauthenticated', 'relay.badToken')
      let open = true
      // A limit of the token or a budget does not lower the reservation of the account: the vendor may bill all of it.
      let beyond = 0
      const add = (quota: number, ofUser = quota) => {
        hold.quota += quota
        user.reserved += ofUser
        if (token) token.reserved += quota
      }
      const close = () => {
        if (!open) return false
        open = false
        for (const balance of [user, token]) if (balance) balance.holds -= 1
        user.reserved -= hold.quota + beyond
        if (token) token.reserved -= hold.quota
        return true
      }
      const isLimited = () => token !== undefined && !token.unlimited
      const settle = (charge: Charge) => {
        if (!close()) return
        user.quota -= charge.quota
        if (token && isLimited()) token.quota -= charge.quota
        write(request, isLimited(), charge)
        const left = user.quota + user.elsewhere
        if (charge.quota > 0 && left < (request.remindBelow ?? 0)) deps.onLow?.(user.id, left)
      }
      const hold: Mutable<JournaledHold> = {
        quota: 0,
        isAccountShort: false,
        extend(wanted, min = wanted) {
          const ofAccount = freeOf(user) + beyond
          const more = Math.min(wanted, ofAccount, tokenLimitLeft(token))
          hold.isAccountShort = ofAccount < min
          if (!open || more < min) return false
          const fromBeyond = Math.min(Math.max(more, 0), beyond)
          beyond -= fromBeyond
          if (more > 0) add(more, more - fromBeyond)
          return true
        },
        checkpoint: (charge) =>
          open && checkpoints.checkpoint({ request, limited: isLimited(), charge, isUncounted: !deps.isCounted() }),
        withdraw: () => open && checkpoints.withdraw(request.requestId),
        settle,
        release() {
          const owed = checkpoints.last(request.requestId)
          if (owed) settle(owed)
          else close()
        },
      }
      const ofUser = granted(request, user, token, deps.show)
      const quota = Math.min(ofUser, tokenLimitLeft(token), request.maxQuota ?? ofUser)
      beyond = ofUser - quota
      add(quota, ofUser)
      for (const balance of [user, token]) if (balance) balance.holds += 1
      return hold
    },
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

const freeOf = ({ quota, reserved }: UserBalance): number => quota - reserved

/** The quota that a token may still spend; Infinity if it is not limited. */
const tokenLimitLeft = (token: TokenBalance | undefined): number =>
  token && !token.unlimited ? token.quota - token.reserved : Number.POSITIVE_INFINITY

/**
 * Computes the amount to reserve on the account. Throws if the account or the token has less than `minQuota`; accounts
 * with a large balance are checked too (docs/reference/errors.md#refusals, docs/reference/billing.md#hold). Free calls
 * need no balance.
 */
function granted(
  { quota, minQuota = quota }: HoldRequest,
  user: UserBalance,
  token: TokenBalance | undefined,
  show: (quota: number) => string,
): number {
  if (quota === 0) return 0
  if (!(quota > 0 && minQuota >= 0)) throw new RangeError(`${minQuota} to ${quota} cannot be set aside`)
  const free = freeOf(user)
  if (free <= 0) throw refuse('exhausted', 'relay.userQuota', {}, { code: 'insufficient_user_quota' })
  if (free < minQuota)
    throw refuse(
      'exhausted',
      'relay.userQuotaShort',
      { have: show(free + user.elsewhere), need: show(minQuota) },
      { code: 'insufficient_user_quota' },
    )
  const tokenLeft = tokenLimitLeft(token)
  if (tokenLeft < minQuota || tokenLeft <= 0)
    throw refuse(
      'exhausted',
      'relay.tokenQuotaShort',
      { have: show(tokenLeft + (token?.elsewhere ?? 0)), need: show(minQuota) },
      { code: 'pre_consume_token_quota_failed' },
    )
  return Math.min(quota, free)
}
