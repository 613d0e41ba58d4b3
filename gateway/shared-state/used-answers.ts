import type { Clock } from '../base/clock.ts'
import type { MaybePromise } from '../base/maybe-promise.ts'
import { slidingLog } from './rates.ts'

/** Seconds for which a used answer is remembered: at least as long as it is valid. */
export const ANSWER_SECONDS = 600

/** Signed answers of a login provider, each of which is accepted once (docs/reference/accounts.md#login-providers). */
export interface UsedAnswers {
  /** Returns whether this is the first use of the answer. */
  use(signature: string): MaybePromise<boolean>
}

/** In memory: after a restart, an answer that is still valid can be used again. */
export function createUsedAnswers(clock: Clock): UsedAnswers {
  const used = slidingLog({ limit: 1, windowSeconds: ANSWER_SECONDS, clock })
  return { use: (signature) => used.take(signature) === 0 }
}
