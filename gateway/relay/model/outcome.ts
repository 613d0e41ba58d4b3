import type { ActiveChannel } from '../../channels/registry/active-channel.ts'

/** How an answer ended, as the receipt says it. */
export type Ending =
  | 'complete'
  | 'client-gone'
  | 'upstream-broken'
  | 'upstream-timeout'
  | 'upstream-error'
  | 'stopped'
  /** Ended by the gateway before a blocked word. */
  | 'filtered'
  /** Ended by the gateway where the account could not pay for more. */
  | 'quota'

/** One channel that was asked, and why it did not serve where it did not. */
export type Attempt = Readonly<{
  channel: number
  /** The place of the key among several, from 1. */
  key?: number
  status?: number
  reason?: string
}>

/**
 * Why a channel is passed over: its vendor does not offer the endpoint (`unsupported`); the prompt exceeds its limit
 * (`prompt_too_long`); it has no place left (`at_capacity`); it cools down after failures (`cooldown`) or for as long as its
 * vendor asked (`limited`); none of its keys can be used (`no_key`).
 */
export type Ineligibility = 'unsupported' | 'prompt_too_long' | 'at_capacity' | 'cooldown' | 'limited' | 'no_key'

/** A channel that was passed over, and why; where it is cooling down, after what status and for how many more seconds. */
export type Skipped = Readonly<{ channel: number; reason: Ineligibility; status?: number; seconds?: number }>

/** What became of the channels so far; the log row is made of it. */
export type Attempts = { attempts: Attempt[]; skipped: Skipped[]; channel?: ActiveChannel }
