import type { AnswerFrame, Codec, Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Format } from '../formats/format.ts'
import { createLineReader, type EventVerdict } from '../formats/sse.ts'
import { createDialectTap, createEventTap } from '../metering/event-tap.ts'
import { createTap, type UsageTap } from '../metering/usage-tap.ts'
import type { Scrub, TappedTransform } from './transform.ts'
import { asArray, framedTranslation, translation } from './translation.ts'

/** A tap for answers in a dialect; OpenAI's own, the most frequent, has one that reads no more than it must. */
export const tapFor = (codecs: Codecs, format: Format, model: string): UsageTap =>
  format === 'openai' ? createTap(model) : createDialectTap(codecs[format], model)

/** The caller's own dialect: bytes pass as they are, but for a usage event nobody asked for, up to the end or an error. */
export function untouched(tap: UsageTap, dropUsage: boolean, scrub: Scrub): TappedTransform {
  const reader = createLineReader((payload) => verdictOf(tap, payload, dropUsage, scrub), tap.plain)
  return { transform: { feed: reader.feed, end: reader.end, close: nothing, place: tap.place ?? nowhere }, tap }
}

/** What becomes of an event whose bytes pass, once the tap has read it. */
export function verdictOf(tap: UsageTap, payload: string, dropUsage: boolean, scrub: Scrub): EventVerdict {
  const isUsage = tap.payload(payload)
  const { observed } = tap
  if (observed.unreadable) return 'cut'
  if (observed.error) return { lastAs: scrub(payload) }
  if (observed.done) return 'last'
  return isUsage && dropUsage ? 'drop' : 'keep'
}

const nothing = () => ''
const nowhere = () => undefined

/** Another dialect: every event is written again. */
export function translated(from: Wire, to: Codec, model: string, frame: AnswerFrame): TappedTransform {
  const tap = createEventTap(model, to.format)
  const [decoder, encoder, frames] = [from.decodeStream(), to.encodeStream(frame), from.frames?.()]
  const transform = frames ? framedTranslation(frames, decoder, encoder, tap) : translation(decoder, encoder, tap)
  return { transform, tap }
}

/** A transform whose events are the elements of one JSON array. */
export const arrayed = ({ transform, tap }: TappedTransform): TappedTransform => ({
  transform: asArray(transform),
  tap,
})
