import type { Usage } from '../../billing/usage.ts'
import type { StreamPlace } from '../formats/codec.ts'
import type { EventTap } from '../metering/event-tap.ts'
import type { UsageTap } from '../metering/usage-tap.ts'

/** What becomes of an upstream's bytes on their way to the caller: nothing, or a translation. */
export interface StreamTransform {
  /** Takes a chunk and answers what to send on; throws `LineTooLong`. */
  feed(bytes: Buffer): Buffer | string
  /** What is left when the upstream has ended. */
  end(): Buffer | string
  /** What closes a good answer, told what is charged. */
  close(usage: Usage): string
  /** What closes one that broke: the event that tells it, '' where it has been told, unless it has to look otherwise here. */
  fail?(event: string): string
  /** How far the stream has come, in a dialect that numbers its events. */
  place?(): StreamPlace | undefined
}

/** How a stream gets from the upstream to the caller, and what watches it. */
export type TappedTransform = Readonly<{ transform: StreamTransform; tap: UsageTap | EventTap }>

/** The data of an event that tells an error, without the channel's key and address. */
export type Scrub = (payload: string) => string
