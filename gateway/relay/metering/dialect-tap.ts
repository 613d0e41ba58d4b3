import type { Codec } from '../formats/codec.ts'
import { createEventTap } from './event-tap.ts'
import { LONGEST_ERROR, type UsageTap } from './usage-tap.ts'

/** A tap for answers that pass untouched in a dialect other than OpenAI's own: they are read as events. */
export function createDialectTap(codec: Codec, model: string): UsageTap {
  const tap = createEventTap(model)
  const decoder = codec.decodeStream()
  return {
    event(json) {
      for (const event of codec.decodeAnswer(json)) tap.take(event)
    },
    plain: (_, from) => from,
    payload(text) {
      const isLong = text.length > LONGEST_ERROR
      for (const event of decoder.payload(text))
        tap.take(isLong && event.type === 'error' ? { ...event, isUnreadable: true } : event)
      return false
    },
    filter: tap.filter,
    observed: tap.observed,
    produced: tap.produced,
    usage: tap.usage,
    tokens: tap.tokens,
    most: tap.most,
    text: tap.text,
  }
}
