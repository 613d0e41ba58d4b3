import { isObject, type JsonObject, parsed, textIn } from '../../base/json/json.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import { drawnBy, isDrawn } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isConversation } from '../model/endpoint.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { PICTURE_TOKENS } from './besides-text.ts'
import { joined, usageIn } from './endpoint-usage.ts'
import { keepingEstimator, MAX_ERROR_LENGTH, MAX_KEPT_TEXT, type Observed, type UsageTap } from './usage-tap.ts'

/** A tap that also watches an answer of bytes, which has no events. */
export type EndpointTap = UsageTap & Readonly<{ bytes(chunk: Buffer): void; end(): void }>

/**
 * Watches an answer that is no conversation: its usage, what of it has come, how it ended
 * (docs/reference/billing.md#missing-usage).
 */
export function createEndpointTap(call: Call, model: string): EndpointTap {
  const { endpoint } = call
  const kept = { text: '' }
  const estimator = keepingEstimator(createTokenEstimator(model), kept)
  const observed: Observed = { done: false, finished: false, error: null, usage: null }
  let pieces = 0
  let pictures = 0
  const event = (json: unknown) => {
    if (isSpoken(endpoint)) estimator.add(spokenIn(json))
    if (!isObject(json)) return
    if (json.error)
      observed.error = isObject(json.error) ? json.error : { message: textIn(json.error) ?? 'unknown error' }
    else pieces += 1
    const usage = usageIn(json)
    if (!usage) return
    const isOfPicture = isDrawn(endpoint) && LAST.test(textIn(json.type) ?? '')
    // Each picture of a stream has its own figures; all others replace those before.
    if (isOfPicture && pictures < drawnBy(call).n) observed.usage = joined(observed.usage, usage)
    else if (!isOfPicture) observed.usage = usage
    if (isOfPicture) pictures += 1
  }
  return {
    event,
    plain: (_, from) => from,
    payload(text) {
      const isDone = text.startsWith(DONE)
      const json = isDone ? undefined : parsed(text)
      if (!isDone && json === undefined) {
        observed.error = {}
        observed.unreadable = true
        return false
      }
      event(json)
      if (observed.error && text.length > MAX_ERROR_LENGTH) observed.unreadable = true
      const type = isObject(json) ? textIn(json.type) : undefined
      if (type !== undefined && LAST.test(type)) observed.finished = true
      observed.done ||= isDone || (type !== undefined && ONLY.test(type))
      observed.finished ||= observed.done
      return false
    },
    bytes(chunk) {
      pieces += chunk.length > 0 ? 1 : 0
    },
    end() {
      observed.finished = true
    },
    filter() {
      observed.filtered = true
    },
    observed,
    produced: () => pieces > 0,
    usage: (prompt, counted) => observed.usage ?? silent(call, prompt, counted, estimator.tokens()),
    tokens: estimator.tokens,
    spoken: () => 0,
    max: estimator.max,
    text: () => (isKnown(call) || kept.text.length >= MAX_KEPT_TEXT ? undefined : kept.text),
  }
}

/** Whether an endpoint's answers are watched here; all others are text in one of the dialects. */
export const isTapped = (endpoint: Endpoint): boolean =>
  !isConversation(endpoint) && endpoint !== 'completions' && endpoint !== 'edits'

const DONE = '[DONE]'
/** The events that end an image, a recording, a transcript; images may be several. */
const LAST = /\.(completed|done)$/
const ONLY = /^(speech\.audio|transcript\.text)\.done$/

type Counted = Parameters<UsageTap['usage']>[1]

/** What the gateway makes of an answer without a usage; recordings for `whisper-1` and its like are billed by the minute alone. */
function silent(call: Call, prompt: () => number, counted: Counted, spoken: number): Usage {
  const { endpoint, input } = call
  if (isDrawn(endpoint)) return usageOf({ prompt: PICTURE_TOKENS * drawnBy(call).n, source: 'counted' })
  if (endpoint === 'speech' && input === null) {
    const text = counted?.prompt ?? prompt()
    return usageOf({ prompt: text, completion: text * SPOKEN_TOKENS, source: 'estimated' })
  }
  if (input === null) {
    return counted
      ? usageOf({ prompt: counted.prompt, completion: counted.completion, source: 'counted' })
      : usageOf({ prompt: prompt(), completion: spoken, source: 'estimated' })
  }
  if (!isByToken(call)) return usageOf({ prompt: input, source: 'counted' })
  return usageOf({ prompt: input, audioInput: input, completion: spoken, source: 'estimated' })
}

/** Tokens of sound for a token of the text that is said, where the vendor tells none: some 1,250 a minute (OpenAI, page of gpt-4o-mini-tts). */
const SPOKEN_TOKENS = 6

/** Whether nothing is left to count. */
const isKnown = ({ endpoint, input }: Call): boolean => isDrawn(endpoint) || input !== null

const isSpoken = (endpoint: Endpoint): boolean => endpoint === 'transcriptions' || endpoint === 'translations'

/** Whether a model that hears is billed by tokens rather than by the minute. */
const isByToken = ({ endpoint, model }: Call): boolean => isSpoken(endpoint) && model.includes('-transcribe')

/** The words of a transcript: the answer itself where it is no JSON, its `text`, or the next piece of a stream. */
function spokenIn(json: unknown): string {
  if (!isObject(json)) return textIn(json) ?? ''
  const { type, text, delta }: JsonObject = json
  return (type === undefined ? textIn(text) : textIn(delta)) ?? ''
}
