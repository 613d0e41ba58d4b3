import type { Usage } from '../../billing/usage.ts'
import type { StreamPosition } from '../formats/codec.ts'
import type { EventTap } from '../metering/event-tap.ts'
import type { UsageTap } from '../metering/usage-tap.ts'

/** Converts an upstream's bytes for the caller, or passes them unchanged. */
export interface StreamTransform {
  /** Returns what to send for a chunk; throws `LineTooLong`. */
  feed(bytes: Buffer): Buffer | string
  end(): Buffer | string
  /** Returns the ending of a successful response; `usage` is the charged usage. */
  close(usage: Usage): string
  /**
   * Returns the ending of a broken response, given the error event, or '' if that has been sent; absent if the event is
   * sent unchanged.
   */
  fail?(event: string): string
  /** Progress of the stream, in a dialect that numbers its events. */
  position?(): StreamPosition | undefined
}

export type TappedTransform = Readonly<{ transform: StreamTransform; tap: UsageTap | EventTap }>

/** Removes the channel's key and URL from the data of an error event. */
export type Scrub = (payload: string) => string
