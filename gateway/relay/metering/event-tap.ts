import { AnswerLosses } from '../formats/answer-losses.ts'
import type { Codec } from '../formats/codec.ts'
import type { AnswerEvent } from '../formats/events.ts'
import type { Format } from '../formats/format.ts'
import { encodingOf } from '../tokenizer/encoding.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { addOutput, emptyNonTextOutput, nonTextTokens, spokenTokens } from './non-text-output.ts'
import { outputInError } from './output-in-errors.ts'
import {
  figures,
  hasProduced,
  keepingEstimator,
  MAX_ERROR_LENGTH,
  MAX_KEPT_TEXT,
  nothingObserved,
  type UsageTap,
} from './usage-tap.ts'

/** What a response's events show of its cost: reported usage, produced text, how it ended. */
export type EventTap = Readonly<{ take(event: AnswerEvent): void }> &
  Omit<UsageTap, 'event' | 'plain' | 'payload' | 'position'>

export type AnyTap = UsageTap | EventTap

/**
 * A tap for responses decoded as events: all dialects except OpenAI's, and all that are converted; `to` is the dialect
 * that converted responses are written in.
 */
export function createEventTap(model: string, to?: Format): EventTap {
  const buffer = { text: '' }
  const estimator =
    encodingOf(model) === undefined
      ? createTokenEstimator(model)
      : keepingEstimator(createTokenEstimator(model), buffer)
  const observed = nothingObserved()
  const nonText = emptyNonTextOutput()
  const losses = to && new AnswerLosses(to)
  return {
    take(event) {
      losses?.take(event)
      if (addOutput(event, estimator, nonText)) {
        observed.isBehind = true
        observed.isThinking = event.type === 'reasoning'
      } else if (event.type === 'usage') {
        observed.usage = event.usage
        if (!event.isBegun) observed.isBehind = false
      } else if (event.type === 'start') observed.model = event.model
      else if (event.type === 'tools') observed.tools = event.used
      else if (event.type === 'reasoning-begun') observed.isThinking = true
      else if (event.type === 'finish') observed.finished = true
      else if (event.type === 'error') {
        observed.error = { ...event.error }
        estimator.add(outputInError(observed.error) ?? '')
        if (event.isUnreadable) observed.unreadable = true
        if (event.isTooLarge) observed.isUnread = true
      } else if (event.type === 'done') {
        observed.done = true
        observed.finished = true
      }
    },
    filter(text) {
      observed.filtered = true
      if (text !== '') estimator.add(text)
    },
    unread() {
      observed.isUnread = true
    },
    observed,
    lost: () => losses?.names() ?? NOTHING,
    produced: () => hasProduced(observed, estimator, nonText),
    usage: (prompt, counted) => figures(observed, { prompt, counted }, estimator, nonText),
    tokens: () => estimator.tokens() + nonTextTokens(nonText),
    spoken: () => spokenTokens(nonText),
    max: () => Math.max(estimator.max() + nonTextTokens(nonText), observed.usage?.completion ?? 0),
    text: () => (buffer.text.length > 0 && buffer.text.length < MAX_KEPT_TEXT ? buffer.text : undefined),
  }
}

const NOTHING: readonly string[] = []

/** A tap for responses that pass unchanged in a dialect other than OpenAI's: they are decoded as events. */
export function createDialectTap(codec: Codec, model: string): UsageTap {
  const tap = createEventTap(model)
  const decoder = codec.decodeStream()
  return {
    event(json) {
      for (const event of codec.decodeAnswer(json)) tap.take(event)
    },
    plain: (_, from) => from,
    position: () => decoder.position?.(),
    payload(text) {
      const isLong = text.length > MAX_ERROR_LENGTH
      for (const event of decoder.payload(text))
        tap.take(isLong && event.type === 'error' ? { ...event, isUnreadable: true } : event)
      return false
    },
    filter: tap.filter,
    unread: tap.unread,
    observed: tap.observed,
    produced: tap.produced,
    usage: tap.usage,
    tokens: tap.tokens,
    spoken: tap.spoken,
    max: tap.max,
    text: tap.text,
  }
}
