import type { MaybePromise } from '../base/maybe-promise.ts'

/** Data that a node caches and reads again once another node has written it. */
export type Topic = 'channels' | 'options' | 'tokens' | 'users'

/** Called with the names of what changed: channel ids, option keys, hashes of token keys, or account ids. */
export type Follower = (names: readonly string[]) => MaybePromise<void>

/**
 * Notifies nodes of database writes. A node publishes after its commit and applies its own change itself. An
 * implementation for several nodes must guarantee that every other node is notified, in commit order, even after it was
 * disconnected; missed changes are delivered again, possibly twice. A follower that fails is called again.
 */
export interface Changes {
  /** Notifies all other nodes; resolves once the notification is sent, whether or not they have applied it. */
  publish(topic: Topic, names: readonly string[]): MaybePromise<void>
  /** Subscribes to the changes of other nodes; each topic has one follower. */
  follow(topic: Topic, follower: Follower): void
}

export const noOtherNodes: Changes = { publish: () => {}, follow: () => {} }
