import type { Clock } from '../../base/clock.ts'
import { breathe, inSteps } from '../../base/pace.ts'
import type { storedResponseStore } from '../../store/stored-responses.ts'

/** Responses that one statement removes; their content is long. */
const MOST_AT_ONCE = 500
/** Accounts that are looked up before others have the database. */
const ACCOUNTS_AT_ONCE = 20

export type ExpiryDeps = Readonly<{
  store: Pick<ReturnType<typeof storedResponseStore>, 'removeOld' | 'ownerAfter' | 'removeOf'>
  clock: Pick<Clock, 'monotonic'>
  /** Ends it after the step at hand. */
  signal: AbortSignal
}>

/** Removes what is not of after `since` (unix seconds), and what belongs to accounts that are gone; in small steps. */
export async function removeExpired({ store, clock, signal }: ExpiryDeps, since: number): Promise<void> {
  const stretch = { clock, most: MOST_AT_ONCE, signal }
  await inSteps(stretch, (limit) => store.removeOld(since, limit))
  let seen = 0
  let owner = await store.ownerAfter(Number.MIN_SAFE_INTEGER)
  while (owner && !signal.aborted) {
    const { id, isGone } = owner
    if (isGone) await inSteps(stretch, (limit) => store.removeOf(id, limit))
    seen += 1
    if (seen % ACCOUNTS_AT_ONCE === 0) await breathe()
    owner = await store.ownerAfter(id)
  }
}
