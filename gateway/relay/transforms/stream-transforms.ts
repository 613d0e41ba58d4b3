import type { AnswerBudget } from '../formats/answer-budget.ts'
import type { AnswerFrame, Codec, Wire } from '../formats/codec.ts'
import type { Codecs } from '../formats/codecs.ts'
import type { Format } from '../formats/format.ts'
import { createLineReader, type EventVerdict } from '../formats/sse.ts'
import { createDialectTap, createEventTap } from '../metering/event-tap.ts'
import { createTap, type UsageTap } from '../metering/usage-tap.ts'
import type { Scrub, TappedTransform } from './transform.ts'
import { asArray, framedTranslation, translation } from './translation.ts'

/** Returns a tap for responses in a dialect; OpenAI's, the most frequent, has one that parses as little as possible. */
export const tapFor = (codecs: Codecs, format: Format, model: string): UsageTap =>
  format === 'openai' ? createTap(model) : createDialectTap(codecs[format], model)

/**
 * The caller's own dialect: passes bytes unchanged up to the end or an error, except a usage event that was not
 * requested.
 */
export function untouched(tap: UsageTap, dropUsage: boolean, scrub: Scrub): TappedTransform {
  const reader = createLineReader((payload) => verdictOf(tap, payload, dropUsage, scrub), tap.plain)
  return { transform: { feed: reader.feed, end: reader.end, close: nothing, position: tap.position ?? nowhere }, tap }
}

/** Returns the verdict on an event whose bytes are passed on, after the tap has read it. */
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

export function translated(
  from: Wire,
  to: Codec,
  model: string,
  frame: AnswerFrame,
  budget: AnswerBudget,
): TappedTransform {
  const tap = createEventTap(model, to.format)
  const [decoder, encoder, frames] = [from.decodeStream(), to.encodeStream(frame), from.frames?.()]
  const transform = frames
    ? framedTranslation(frames, decoder, encoder, tap, budget)
    : translation(decoder, encoder, tap, budget)
  return { transform, tap }
}

export const arrayed = ({ transform, tap }: TappedTransform): TappedTransform => ({
  transform: asArray(transform),
  tap,
})
