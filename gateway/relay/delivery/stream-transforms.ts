import type { Codecs } from '../upstream/codecs.ts'
import { createDialectTap } from '../metering/dialect-tap.ts'
import { createEventTap, type EventTap } from '../metering/event-tap.ts'
import type { AnswerFrame, Codec, Wire } from '../formats/codec.ts'
import type { Format } from '../formats/format.ts'
import { createLineReader, type Verdict } from './sse.ts'
import type { Passage } from './stream.ts'
import { asArray, framedTranslation, translation } from './translation.ts'
import { createTap, type UsageTap } from '../metering/usage-tap.ts'

/** How a stream gets from the upstream to the caller, and what watches it. */
export type Passing = Readonly<{ passage: Passage; tap: UsageTap | EventTap }>

/** The data of an event that tells an error, without the channel's key and address. */
export type Scrub = (payload: string) => string

/** A tap for answers in a dialect; OpenAI's own, the most frequent, has one that reads no more than it must. */
export const tapFor = (codecs: Codecs, format: Format, model: string): UsageTap =>
  format === 'openai' ? createTap(model) : createDialectTap(codecs[format], model)

/** The caller's own dialect: bytes pass as they are, but for a usage event nobody asked for, up to the end or an error. */
export function untouched(tap: UsageTap, dropUsage: boolean, scrub: Scrub): Passing {
  const reader = createLineReader((payload) => judged(tap, payload, dropUsage, scrub), tap.plain)
  return { passage: { feed: reader.feed, end: reader.end, close: nothing }, tap }
}

/** What becomes of an event whose bytes pass, once the tap has read it. */
export function judged(tap: UsageTap, payload: string, dropUsage: boolean, scrub: Scrub): Verdict {
  const isUsage = tap.payload(payload)
  const { seen } = tap
  if (seen.unreadable) return 'cut'
  if (seen.error) return { lastAs: scrub(payload) }
  if (seen.done) return 'last'
  return isUsage && dropUsage ? 'drop' : 'keep'
}

const nothing = () => ''

/** Another dialect: every event is written anew. */
export function translated(from: Wire, to: Codec, model: string, frame: AnswerFrame): Passing {
  const tap = createEventTap(model)
  const [decoder, encoder, frames] = [from.decodeStream(), to.encodeStream(frame), from.frames?.()]
  const passage = frames ? framedTranslation(frames, decoder, encoder, tap) : translation(decoder, encoder, tap)
  return { passage, tap }
}

/** The same as one JSON array. */
export const arrayed = ({ passage, tap }: Passing): Passing => ({ passage: asArray(passage), tap })
