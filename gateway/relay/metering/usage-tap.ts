import { isObject, parsed } from '../../base/json/json.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import type { StreamPlace } from '../formats/codec.ts'
import { usageOfAnswer } from '../formats/openai/usage.ts'
import { encodingOf } from '../tokenizer/encoding.ts'
import { createTokenEstimator, type TokenEstimator } from '../tokenizer/estimate.ts'
import { type Besides, nothingBesides, spokenTokens, tokensBesides } from './besides-text.ts'
import { createPattern } from './delta-pattern.ts'
import { SaidInChoices } from './said-in-choice.ts'

/** Reads a copy of an OpenAI-shaped answer while its bytes pass by: usage, the text produced, how it ended. */
export interface UsageTap {
  /** Takes one whole answer, parsed. */
  event(json: unknown): void
  /** Takes the plain text deltas that whole lines of a stream go on with at `from`; answers where they end. */
  plain(lines: string, from: number): number
  /** Takes the payload of one stream event; true for the event that holds usage and nothing else. */
  payload(text: string): boolean
  /** How far the stream has come, in a dialect that numbers its events. */
  place?(): StreamPlace | undefined
  /** The answer ends here, before a blocked word; `text` is what goes out of the piece that holds the word. */
  filter(text: string): void
  readonly observed: Readonly<Observed>
  /** What of the answer its caller's dialect has no place for, by name, where it is written again. */
  lost?(): readonly string[]
  /** Anything the caller would pay for has been produced. */
  produced(): boolean
  /** The upstream's own figures, or an estimate over what was delivered and `prompt` tokens of input. */
  usage(prompt: () => number, counted?: CountedText): Usage
  /** Tokens produced so far, as the gateway estimates them. */
  tokens(): number
  /** Those of them that were said aloud. */
  spoken(): number
  /** Tokens produced so far on the safe side, the upstream's own figures counted in. */
  max(): number
  /** The text produced so far; undefined where it is not kept for counting. */
  text(): string | undefined
}

/** Tokens that a tokenizer counted: of the prompt, and of the text produced. */
export type CountedText = Readonly<{ prompt: number; completion: number }>

/**
 * What has passed by so far. Plain fields: a getter in an object made for each request would give that object a hidden
 * class of its own, which keeps the whole request alive until the next full collection.
 */
export type Observed = {
  /** The stream's own end mark. */
  done: boolean
  /** A finish reason or the end mark: the client has everything. */
  finished: boolean
  /** An error inside the answer. */
  error: Record<string, unknown> | null
  /** An event was no JSON, or tells an error at a length that nobody is told: the caller hears of it from the gateway. */
  unreadable?: true
  /** Figures of the upstream that can be believed. */
  usage: Usage | null
  /** More has come since those figures were told: of the output they say too little. */
  isBehind?: boolean
  /** The gateway ended the answer before a blocked word (docs/reference/limits.md#blocked-words). */
  filtered?: true
}

/** A longer event that tells an error does not go on. */
export const MAX_ERROR_LENGTH = 64 * 1024

/** Whether the stream is over, however it ended: nothing after that is read. */
export const hasEnded = ({ done, error }: Readonly<Observed>): boolean => done || error !== null

/**
 * A tap for chat, completion and embedding answers of the OpenAI dialect (docs/reference/conversion.md#usage,
 * docs/reference/billing.md#missing-usage).
 */
export function createTap(model: string): UsageTap {
  const kept = { text: '' }
  const estimator =
    encodingOf(model) === undefined ? createTokenEstimator(model) : keepingEstimator(createTokenEstimator(model), kept)
  const observed: Observed = { done: false, finished: false, error: null, usage: null, isBehind: false }
  const besides = nothingBesides()
  const choices = new SaidInChoices(estimator, besides)
  const pattern = createPattern(estimator)
  const event = (json: unknown) => {
    if (!isObject(json)) return
    observed.error ??= errorOf(json)
    if (Array.isArray(json.choices))
      for (const [place, choice] of json.choices.entries()) {
        if (!isObject(choice)) continue
        if (choice.finish_reason) observed.finished = true
        observed.error ??= errorOf(choice)
        if (choices.take(choice, place)) observed.isBehind = true
      }
    const usage = usageOfAnswer(json)
    if (!usage) return
    observed.usage = usage
    observed.isBehind = false
  }
  return {
    event,
    plain(lines, from) {
      const end = pattern.takes(lines, from)
      if (end > from) observed.isBehind = true
      return end
    },
    payload(text) {
      if (text.startsWith(DONE)) {
        observed.done = true
        observed.finished = true
        return false
      }
      const json = parsed(text)
      if (json === undefined) {
        observed.error = {}
        observed.unreadable = true
        return false
      }
      event(json)
      if (observed.error && text.length > MAX_ERROR_LENGTH) observed.unreadable = true
      pattern.learn(text, json)
      return holdsUsageAlone(json)
    },
    filter(text) {
      observed.filtered = true
      if (text !== '') estimator.add(text)
    },
    observed,
    produced: () => hasProduced(observed, estimator, besides),
    usage: (prompt, counted) => figures(observed, { prompt, counted }, estimator, besides),
    tokens: () => estimator.tokens() + tokensBesides(besides),
    spoken: () => spokenTokens(besides),
    max: () => Math.max(estimator.max() + tokensBesides(besides), observed.usage?.completion ?? 0),
    text: () => (kept.text.length > 0 && kept.text.length < MAX_KEPT_TEXT ? kept.text : undefined),
  }
}

const DONE = '[DONE]'

/** An error inside an answer, an object or a text; OpenRouter puts it into the choice. */
function errorOf({ error }: Record<string, unknown>): Record<string, unknown> | null {
  if (isObject(error)) return error
  return typeof error === 'string' && error !== '' ? { message: error } : null
}

/** Whether anything the caller would pay for has been seen. */
export const hasProduced = (
  { usage }: Readonly<Observed>,
  estimator: TokenEstimator,
  { pictures, seconds }: Readonly<Besides>,
): boolean => (usage?.completion ?? 0) > 0 || estimator.tokens() > 0 || pictures > 0 || seconds > 0

/** Whether the upstream has counted all of the answer. */
export const isCounted = ({ usage, finished, isBehind }: Readonly<Observed>): boolean =>
  usage !== null && finished && isBehind !== true

/**
 * The upstream's figures, or what the gateway itself makes of a prompt and of what was produced. Where the upstream has
 * not counted all of an answer (it was cut, or the last figures came before the last of it), what was said of its prompt
 * is kept, but of its output at least what was seen: some vendors count it only at the end
 * (docs/reference/billing.md#missing-usage).
 */
export function figures(
  observed: Readonly<Observed>,
  { prompt, counted }: Readonly<{ prompt: () => number; counted: CountedText | undefined }>,
  estimator: TokenEstimator,
  besides: Readonly<Besides>,
): Usage {
  const { usage } = observed
  if (usage && isCounted(observed)) return usage
  const completion = (counted?.completion ?? estimator.tokens()) + tokensBesides(besides)
  const source = counted ? 'counted' : 'estimated'
  const audioOutput = spokenTokens(besides)
  if (!usage) return usageOf({ prompt: counted?.prompt ?? prompt(), completion, audioOutput, source })
  if (completion <= usage.completion) return usage
  return { ...usage, completion, audioOutput: Math.max(usage.audioOutput, audioOutput), source }
}

/** A text longer than this is not kept for an exact count. */
export const MAX_KEPT_TEXT = 256 * 1024

/** An estimator that also keeps what it is given. */
export const keepingEstimator = (estimator: TokenEstimator, kept: { text: string }): TokenEstimator => ({
  add(text) {
    estimator.add(text)
    if (kept.text.length < MAX_KEPT_TEXT) kept.text += text
  },
  tokens: estimator.tokens,
  max: estimator.max,
})

const holdsUsageAlone = (json: unknown): boolean =>
  isObject(json) && isObject(json.usage) && Array.isArray(json.choices) && json.choices.length === 0
