import { isObject, type JsonObject, parsed, textIn } from '../../base/json/json.ts'
import { type Usage, usageOf } from '../../billing/usage.ts'
import { isUnread } from '../formats/payload.ts'
import { drawnBy, isDrawn } from '../intake/image-options.ts'
import type { Call } from '../model/call.ts'
import { type Endpoint, isConversation } from '../model/endpoint.ts'
import { createTokenEstimator } from '../tokenizer/estimate.ts'
import { MAX_SECONDS, whisperTokens } from '../tokenizer/recording-size.ts'
import { byDuration, imagesIn, joined, usageIn } from './endpoint-usage.ts'
import { IMAGE_TOKENS } from './non-text-output.ts'
import { keepingEstimator, MAX_ERROR_LENGTH, MAX_KEPT_TEXT, type Observed, type UsageTap } from './usage-tap.ts'

/** A tap that also watches a byte response, which has no events. */
export type EndpointTap = UsageTap & Readonly<{ bytes(chunk: Buffer): void; end(): void }>

/**
 * Watches a response that is not a conversation: its usage, its output, how it ended
 * (docs/reference/billing.md#missing-usage).
 */
export function createEndpointTap(call: Call, model: string): EndpointTap {
  const { endpoint } = call
  const buffer = { text: '' }
  const estimator = keepingEstimator(createTokenEstimator(model), buffer)
  const observed: Observed = { done: false, finished: false, error: null, usage: null }
  let pieces = 0
  let pictures = 0
  let heardSeconds = 0
  const event = (json: unknown) => {
    const text = isSpoken(endpoint) ? spokenIn(json) : ''
    estimator.add(text)
    heardSeconds += secondsOfText(text)
    if (!isObject(json)) return
    if (json.error)
      observed.error = isObject(json.error) ? json.error : { message: textIn(json.error) ?? 'unknown error' }
    else pieces += 1
    if (isDrawn(endpoint)) observed.images ??= imagesIn(json)
    const usage = usageIn(json) ?? lengthIn(json, call)
    if (!usage) return
    const isOfImage = isDrawn(endpoint) && LAST.test(textIn(json.type) ?? '')
    // Each image of a stream has a separate usage; in all other streams the latest replaces the previous.
    if (isOfImage && pictures < drawnBy(call).n) observed.usage = joined(observed.usage, usage)
    else if (!isOfImage) observed.usage = usage
    if (isOfImage) pictures += 1
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
        if (isUnread(text)) observed.isUnread = true
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
    unread() {
      observed.isUnread = true
    },
    observed,
    produced: () => pieces > 0,
    usage: (prompt, counted) =>
      observed.usage ??
      silent(call, prompt, counted, {
        spoken: estimator.tokens(),
        heardSeconds,
        images: observed.images,
      }),
    tokens: estimator.tokens,
    spoken: () => 0,
    max: estimator.max,
    text: () => (isKnown(call) || buffer.text.length >= MAX_KEPT_TEXT ? undefined : buffer.text),
  }
}

/** Whether an endpoint's responses are watched here; all others are text in one of the dialects. */
export const isTapped = (endpoint: Endpoint): boolean =>
  !isConversation(endpoint) && endpoint !== 'completions' && endpoint !== 'edits'

const DONE = '[DONE]'
/** The events that end an image, a recording, a transcript; there may be several images. */
const LAST = /\.(completed|done)$/
const ONLY = /^(speech\.audio|transcript\.text)\.done$/

type Counted = Parameters<UsageTap['usage']>[1]

/** What a response has produced: tokens of text, the least length of the recording of a transcript, and images. */
type Produced = Readonly<{ spoken: number; heardSeconds: number; images: number | undefined }>

/** The usage of a response without one; recordings for `whisper-1` and similar are billed only by the minute. */
function silent(
  call: Call,
  prompt: () => number,
  counted: Counted,
  { spoken, heardSeconds, images = Infinity }: Produced,
): Usage {
  const { endpoint, input } = call
  if (isDrawn(endpoint)) return usageOf({ prompt: IMAGE_TOKENS * Math.min(drawnBy(call).n, images), source: 'counted' })
  if (endpoint === 'speech' && input === null) {
    const text = counted?.prompt ?? prompt()
    return usageOf({ prompt: text, completion: text * SPOKEN_TOKENS, source: 'estimated' })
  }
  if (input === null) {
    return counted
      ? usageOf({ prompt: counted.prompt, completion: counted.completion, source: 'counted' })
      : usageOf({ prompt: prompt(), completion: spoken, source: 'estimated' })
  }
  if (!isByToken(call)) return usageOf({ prompt: Math.max(input, whisperTokens(heardSeconds)), source: 'counted' })
  return usageOf({ prompt: input, audioInput: input, completion: spoken, source: 'estimated' })
}

/**
 * Audio tokens per token of the spoken text, if the vendor reports none: about 1,250 per minute (OpenAI, page of
 * gpt-4o-mini-tts).
 */
const SPOKEN_TOKENS = 6

const isKnown = ({ endpoint, input }: Call): boolean => isDrawn(endpoint) || input !== null

const isSpoken = (endpoint: Endpoint): boolean => endpoint === 'transcriptions' || endpoint === 'translations'

/** Whether a transcription model is billed by tokens rather than by the minute. */
const isByToken = ({ endpoint, model }: Call): boolean => isSpoken(endpoint) && model.includes('-transcribe')

/** Bytes of a transcript per second of its recording: more than people speak, even with the times of subtitles. */
const BYTES_PER_SECOND = 40
/** The end time of a subtitle (SubRip, WebVTT); only the last one of a transcript counts. */
const CUE_END = /--> *(?:(\d{1,2}):)?(\d\d):(\d\d)[.,]\d/g

/** The least length of a recording with this transcript: a file may claim to be shorter. */
function secondsOfText(text: string): number {
  const [, hours = 0, minutes = 0, seconds = 0] = [...text.slice(-LAST_CUES).matchAll(CUE_END)].at(-1) ?? []
  const untilLast = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return Math.min(MAX_SECONDS, Math.max(untilLast, Buffer.byteLength(text) / BYTES_PER_SECOND))
}

const LAST_CUES = 4000

/**
 * The usage by the length of the recording that a verbose transcript states (OpenAI, "Create translation"; Groq);
 * undefined for models billed by tokens.
 */
const lengthIn = ({ duration }: JsonObject, call: Call): Usage | undefined =>
  isSpoken(call.endpoint) && !isByToken(call) ? byDuration(duration) : undefined

/** The words of a transcript: the response itself if it is not JSON, its `text`, or the next piece of a stream. */
function spokenIn(json: unknown): string {
  if (!isObject(json)) return textIn(json) ?? ''
  const { type, text, delta }: JsonObject = json
  return (type === undefined ? textIn(text) : textIn(delta)) ?? ''
}
