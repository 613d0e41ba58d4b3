import { AnswerLosses } from '../formats/answer-losses.ts'
import type { Codec } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Format } from '../formats/format.ts'
import { encodingOf } from '../tokenizer/encoding.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { addSaid, nothingBesides, spokenTokens, tokensBesides } from './besides-text.ts'
import {
  figures,
  hasProduced,
  keepingEstimator,
  MAX_ERROR_LENGTH,
  MAX_KEPT_TEXT,
  type Observed,
  type UsageTap,
} from './usage-tap.ts'

/** What an answer's events show of its cost: the upstream's figures, the text produced, how it ended. */
export type EventTap = Readonly<{ take(event: AnswerEvent): void }> &
  Omit<UsageTap, 'event' | 'plain' | 'payload' | 'place'>

/**
 * A tap for answers that are read as events: all dialects but OpenAI's own, and all that are converted; of those `to` is
 * the dialect they are written in.
 */
export function createEventTap(model: string, to?: Format): EventTap {
  const kept = { text: '' }
  const estimator =
    encodingOf(model) === undefined ? createTokenEstimator(model) : keepingEstimator(createTokenEstimator(model), kept)
  const observed: Observed = { done: false, finished: false, error: null, usage: null, isBehind: false }
  const besides = nothingBesides()
  const losses = to && new AnswerLosses(to)
  return {
    take(event) {
      losses?.take(event)
      if (addSaid(event, estimator, besides)) observed.isBehind = true
      else if (event.type === 'usage') {
        observed.usage = event.usage
        if (!event.isBegun) observed.isBehind = false
      } else if (event.type === 'finish') observed.finished = true
      else if (event.type === 'error') {
        observed.error = { ...event.error }
        if (event.isUnreadable) observed.unreadable = true
      } else if (event.type === 'done') {
        observed.done = true
        observed.finished = true
      }
    },
    filter(text) {
      observed.filtered = true
      if (text !== '') estimator.add(text)
    },
    observed,
    lost: () => losses?.names() ?? NOTHING,
    produced: () => hasProduced(observed, estimator, besides),
    usage: (prompt, counted) => figures(observed, { prompt, counted }, estimator, besides),
    tokens: () => estimator.tokens() + tokensBesides(besides),
    spoken: () => spokenTokens(besides),
    max: () => Math.max(estimator.max() + tokensBesides(besides), observed.usage?.completion ?? 0),
    text: () => (kept.text.length > 0 && kept.text.length < MAX_KEPT_TEXT ? kept.text : undefined),
  }
}

const NOTHING: readonly string[] = []

/** A tap for answers that pass untouched in a dialect other than OpenAI's own: they are read as events. */
export function createDialectTap(codec: Codec, model: string): UsageTap {
  const tap = createEventTap(model)
  const decoder = codec.decodeStream()
  return {
    event(json) {
      for (const event of codec.decodeAnswer(json)) tap.take(event)
    },
    plain: (_, from) => from,
    place: () => decoder.place?.(),
    payload(text) {
      const isLong = text.length > MAX_ERROR_LENGTH
      for (const event of decoder.payload(text))
        tap.take(isLong && event.type === 'error' ? { ...event, isUnreadable: true } : event)
      return false
    },
    filter: tap.filter,
    observed: tap.observed,
    produced: tap.produced,
    usage: tap.usage,
    tokens: tap.tokens,
    spoken: tap.spoken,
    max: tap.max,
    text: tap.text,
  }
}
