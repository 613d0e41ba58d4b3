import type { ActiveChannel } from '../../channels/registry/active-channel.ts'

/** How a response ended, as shown in the receipt. */
export type Ending =
  | 'complete'
  | 'client-gone'
  | 'upstream-broken'
  | 'upstream-timeout'
  | 'upstream-error'
  | 'stopped'
  /** Ended by the gateway before a blocked word. */
  | 'filtered'
  /** Ended by the gateway because the account could not pay for more. */
  | 'quota'

/** A channel that was tried, and the error if it did not serve. */
export type Attempt = Readonly<{
  channel: number
  key?: number
  status?: number
  reason?: string
}>

/**
 * Why a channel is skipped: its vendor does not offer the endpoint (`unsupported`); the prompt exceeds its limit
 * (`prompt_too_long`); all its slots are taken (`at_capacity`); it cools down after failures (`cooldown`) or for as
 * long as its vendor requested (`limited`); none of its keys can be used (`no_key`).
 */
export type Ineligibility = 'unsupported' | 'prompt_too_long' | 'at_capacity' | 'cooldown' | 'limited' | 'no_key'

/** A skipped channel and the reason; for a cooldown, the status that caused it and the seconds left. */
export type Skipped = Readonly<{ channel: number; reason: Ineligibility; status?: number; seconds?: number }>

/** The channels that were tried and skipped, and the last one tried. */
export type Attempts = { attempts: Attempt[]; skipped: Skipped[]; channel?: ActiveChannel | undefined }
