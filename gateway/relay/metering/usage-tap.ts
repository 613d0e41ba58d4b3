import { isObject, parsed, textIn } from '../../base/json/json.ts'
import { MAX_TOKENS, type ToolUsage, type Usage, usageOf } from '../../billing/usage.ts'
import type { StreamPosition } from '../formats/codec.ts'
import { usageOfAnswer } from '../formats/openai/usage.ts'
import { isUnread } from '../formats/payload.ts'
import { encodingOf } from '../tokenizer/encoding.ts'
import { createTokenEstimator, type TokenEstimator } from '../tokenizer/estimate.ts'
import { ChoiceTexts } from './choice-texts.ts'
import { createPattern } from './delta-pattern.ts'
import { emptyNonTextOutput, type NonTextOutput, nonTextTokens, readTokens, spokenTokens } from './non-text-output.ts'
import { outputInError } from './output-in-errors.ts'

/** Reads a copy of a response as its bytes pass: usage, produced text, how it ended. */
export interface UsageTap {
  event(json: unknown): void
  /** Takes the plain text deltas in complete lines of a stream from `from`; returns where they end. */
  plain(lines: string, from: number): number
  /** Takes the payload of one stream event; returns true for an event that only has usage. */
  payload(text: string): boolean
  /** The position in the stream, in a dialect that numbers its events. */
  position?(): StreamPosition | undefined
  /** Ends the response before a blocked word; `text` is the part of the chunk that precedes it and is still sent. */
  filter(text: string): void
  /** A part of the response was too long to be read. */
  unread(): void
  readonly observed: Readonly<Observed>
  /** Names of the parts of a rewritten response that the caller's dialect cannot express. */
  lost?(): readonly string[]
  produced(): boolean
  /** The reported usage, or an estimate over what was delivered and `prompt` tokens of input. */
  usage(prompt: () => number, counted?: CountedText): Usage
  /** Estimated tokens produced so far. */
  tokens(): number
  /** Audio tokens among the tokens produced so far. */
  spoken(): number
  /** Upper estimate of the tokens produced so far, including the reported ones. */
  max(): number
  text(): string | undefined
}

export type CountedText = Readonly<{ prompt: number; completion: number }>

/**
 * What has passed so far. Plain fields: a getter in an object created per request would give it a separate hidden
 * class, which keeps the whole request alive until the next full collection.
 */
export type Observed = {
  done: boolean
  /** A finish reason or the end mark: the client has everything. */
  finished: boolean
  error: Record<string, unknown> | null
  /** An event was invalid JSON or contained an error that is too long: the gateway writes its own error instead. */
  unreadable?: true
  /** The upstream's usage, if plausible. */
  usage: Usage | null
  /** The model that the upstream names in its response. */
  model?: string | undefined
  /** The number of images in a complete response; absent if it has no list of them. */
  images?: number | undefined
  /** A part of the response, possibly with its usage, was too long to be read. */
  isUnread?: true
  /** What the upstream's own tools have used so far; the usage at the end contains it. */
  tools?: ToolUsage | undefined
  /** More output has arrived since `usage`, which is therefore too low. */
  isBehind?: boolean
  /** The last output was reasoning, or a summary of it. */
  isThinking?: boolean
  /** The gateway ended the response before a blocked word (docs/reference/limits.md#blocked-words). */
  filtered?: true
}

export const nothingObserved = (): Observed => ({
  done: false,
  finished: false,
  error: null,
  usage: null,
  model: undefined,
  isBehind: false,
  isThinking: false,
})

/** Max characters of an error event; a longer one is not passed on. */
export const MAX_ERROR_LENGTH = 64 * 1024

/** Whether a vendor's error says that it has read the prompt and blocked it, such as Gemini's `blockReason`. */
export const isBlocked = (error: Readonly<Record<string, unknown>> | null): boolean => error?.type === 'content_filter'

/** Whether the stream is over, however it ended: nothing after that is read. */
export const hasEnded = ({ done, error }: Readonly<Observed>): boolean => done || error !== null

/**
 * A tap for chat and completion responses of the OpenAI dialect (docs/reference/conversion.md#usage,
 * docs/reference/billing.md#missing-usage).
 */
export function createTap(model: string): UsageTap {
  const buffer = { text: '' }
  const estimator =
    encodingOf(model) === undefined
      ? createTokenEstimator(model)
      : keepingEstimator(createTokenEstimator(model), buffer)
  const observed = nothingObserved()
  const nonText = emptyNonTextOutput()
  const choices = new ChoiceTexts(estimator, nonText)
  const pattern = createPattern(estimator)
  const event = (json: unknown) => {
    if (!isObject(json)) return
    noteError(observed, errorOf(json), estimator)
    if (Array.isArray(json.choices))
      for (const [index, choice] of json.choices.entries()) {
        if (!isObject(choice)) continue
        if (choice.finish_reason) observed.finished = true
        noteError(observed, errorOf(choice), estimator)
        if (!choices.take(choice, index)) continue
        observed.isBehind = true
        observed.isThinking = choices.isThinking
      }
    const usage = usageOfAnswer(json)
    if (!usage) return
    observed.usage = usage
    observed.model = textIn(json.model)
    observed.isBehind = false
  }
  return {
    event,
    plain(lines, from) {
      const end = pattern.takes(lines, from)
      if (end === from) return end
      observed.isBehind = true
      observed.isThinking = false
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
        if (isUnread(text)) observed.isUnread = true
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
    unread() {
      observed.isUnread = true
    },
    observed,
    produced: () => hasProduced(observed, estimator, nonText),
    usage: (prompt, counted) => figures(observed, { prompt, counted }, estimator, nonText),
    tokens: () => estimator.tokens() + nonTextTokens(nonText),
    spoken: () => spokenTokens(nonText),
    max: () => Math.max(estimator.max() + nonTextTokens(nonText), observed.usage?.completion ?? 0),
    text: () => (buffer.text.length > 0 && buffer.text.length < MAX_KEPT_TEXT ? buffer.text : undefined),
  }
}

const DONE = '[DONE]'

/** Records the first error of a response, and counts the output that it quotes. */
function noteError(observed: Observed, error: Record<string, unknown> | null, estimator: TokenEstimator): void {
  if (!error || observed.error) return
  observed.error = error
  estimator.add(outputInError(error) ?? '')
}

/** An error inside a response, an object or a text; OpenRouter puts it into the choice. */
function errorOf({ error }: Record<string, unknown>): Record<string, unknown> | null {
  if (isObject(error)) return error
  return typeof error === 'string' && error !== '' ? { message: error } : null
}

export const hasProduced = (
  { usage }: Readonly<Observed>,
  estimator: TokenEstimator,
  { pictures, seconds, vendorCalls }: Readonly<NonTextOutput>,
): boolean => (usage?.completion ?? 0) > 0 || estimator.tokens() > 0 || pictures > 0 || seconds > 0 || vendorCalls > 0

/** Whether the upstream's usage covers all of the response. */
export const isCounted = ({ usage, finished, isBehind }: Readonly<Observed>): boolean =>
  usage !== null && finished && isBehind !== true

/**
 * The reported usage, or an estimate from the prompt and the produced output. If the reported usage does not cover all
 * of a response (it was cut, or the usage came before its end), its prompt tokens are used, but the output is at least
 * what was seen: some vendors count it only at the end (docs/reference/billing.md#missing-usage).
 */
export function figures(
  observed: Readonly<Observed>,
  { prompt, counted }: Readonly<{ prompt: () => number; counted: CountedText | undefined }>,
  estimator: TokenEstimator,
  nonText: Readonly<NonTextOutput>,
): Usage {
  const { usage, tools = {} } = observed
  if (usage && isCounted(observed)) return usage
  const completion = (counted?.completion ?? estimator.tokens()) + nonTextTokens(nonText)
  const source = counted ? 'counted' : 'estimated'
  const audioOutput = spokenTokens(nonText)
  const read = Math.min((usage?.prompt ?? counted?.prompt ?? prompt()) + readTokens(nonText), MAX_TOKENS)
  if (!usage) return { ...usageOf({ prompt: read, completion, audioOutput, source }), ...tools }
  if (completion <= usage.completion) return { ...usage, ...tools, prompt: read }
  return {
    ...{ ...usage, ...tools, prompt: read, completion, source },
    audioOutput: Math.max(usage.audioOutput, audioOutput),
  }
}

/** Max characters of a text; a longer one is not stored for an exact count. */
export const MAX_KEPT_TEXT = 256 * 1024

export const keepingEstimator = (estimator: TokenEstimator, buffer: { text: string }): TokenEstimator => ({
  add(text) {
    estimator.add(text)
    if (buffer.text.length < MAX_KEPT_TEXT) buffer.text += text
  },
  tokens: estimator.tokens,
  max: estimator.max,
})

const holdsUsageAlone = (json: unknown): boolean =>
  isObject(json) && isObject(json.usage) && Array.isArray(json.choices) && json.choices.length === 0
