import type { MaybePromise } from '../base/maybe-promise.ts'

/**
 * Data that a node caches and reads again once another node has written it; `answers` are cached responses that have
 * been cleared, `cooldowns` are cooldowns that were ended by hand, `endings` are tokens whose running requests must
 * end.
 */
export type Topic =
  | 'answers'
  | 'channels'
  | 'cooldowns'
  | 'endings'
  | 'limits'
  | 'options'
  | 'setup'
  | 'tokens'
  | 'users'

/**
 * Ids of channels, accounts or tokens, option keys, hashes of token keys, or for cooldowns a channel's id and perhaps
 * one of its keys; `all` if any of the topic may have changed.
 */
export type ChangedNames = readonly string[] | 'all'

export type Follower = (names: ChangedNames) => MaybePromise<void>

/**
 * Notifies nodes of database writes. A node publishes after its commit and applies its own change itself. An
 * implementation for several nodes must guarantee that every other node is notified, even after it was disconnected;
 * the order of changes is not guaranteed, and a change may be delivered twice, and to its own node. A follower that
 * fails is called again. Changes of `answers`, `cooldowns` and `endings` may be lost if their node is killed.
 */
export interface Changes {
  /** Notifies all other nodes; resolves once the notification is sent, whether or not they have applied it. */
  publish(topic: Topic, names: ChangedNames): MaybePromise<void>
  /** Subscribes to the changes of other nodes; each topic has one follower, which also gets what changed before. */
  follow(topic: Topic, follower: Follower): void
}

export const noOtherNodes: Changes = { publish: () => {}, follow: () => {} }
