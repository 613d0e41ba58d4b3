import type { MaybePromise } from '../base/maybe-promise.ts'

/** What a node keeps in memory and reads again once another has written it. */
export type Topic = 'channels' | 'options' | 'tokens' | 'users'

/** Called with the names of what has changed: ids of channels, keys of options, hashes of tokens' keys, ids of accounts. */
export type Follower = (names: readonly string[]) => MaybePromise<void>

/**
 * Word between nodes of what was written to the database. A node tells after its commit and follows its own change by
 * itself. A form of several nodes must promise that each other node hears of it, in the order of the commits, even one that
 * was cut off meanwhile: what was missed is told again, and may be told twice. A follower that fails is called again.
 */
export interface Changes {
  /** Tells every other node; resolves once the word is out, whether or not they have followed. */
  publish(topic: Topic, names: readonly string[]): MaybePromise<void>
  /** From now on what others tell of a topic; there is one follower of each. */
  follow(topic: Topic, follower: Follower): void
}

/** One process has nobody to tell, and hears of nothing. */
export const noOtherNodes: Changes = { publish: () => {}, follow: () => {} }
