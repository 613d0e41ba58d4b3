import type { AnswerEvent } from '../formats/events.ts'
import { audioBytes, audioOutputTokens, plainAudio } from '../tokenizer/audio.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'

/**
 * Non-text output of a response: tool calls, images, and seconds of audio; and the calls that the vendor ran, with the
 * characters of their results, which the model reads.
 */
export type NonTextOutput = { calls: number; pictures: number; seconds: number; vendorCalls: number; read: number }

export const emptyNonTextOutput = (): NonTextOutput => ({ calls: 0, pictures: 0, seconds: 0, vendorCalls: 0, read: 0 })

/** Tokens added for each tool call if the upstream reports no usage (docs/reference/billing.md#missing-usage). */
const PER_TOOL_CALL = 7
const MAX_CALLS = 10_000
/** Tokens of an image without a reported usage (docs/reference/billing.md#images). */
export const IMAGE_TOKENS = 258

/** Counts an event: text goes to the estimator, the rest to `nonText`. Returns false if the event adds nothing. */
export function addOutput(event: AnswerEvent, estimator: TokenEstimator, nonText: NonTextOutput): boolean {
  if (event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning' || event.type === 'vendor-call') {
    estimator.add(event.text)
    return event.text !== ''
  }
  if (event.type === 'tool') {
    const text = (event.name ?? '') + (event.json ?? '')
    nonText.calls = Math.max(nonText.calls, Math.min(event.call + 1, MAX_CALLS))
    if (!event.isCounted) estimator.add(text)
    return text !== ''
  }
  if (event.type === 'vendor-result') {
    nonText.vendorCalls += 1
    nonText.read += event.length
    return true
  }
  if (event.type !== 'media') return false
  estimator.add(event.transcript ?? '')
  if (event.mime.startsWith('image/')) nonText.pictures += 1
  else if (event.mime.startsWith('audio/')) addAudio(nonText, event.data)
  return true
}

/** Adds a piece of base64 audio; streams only have PCM. */
function addAudio(nonText: NonTextOutput, base64: unknown): void {
  nonText.seconds += audioBytes(base64) / plainAudio.outputBytes
}

/** Characters of a result per token. */
const READ_PER_TOKEN = 3

/** Tokens that the model has read in results of calls that the vendor ran. */
export const readTokens = ({ read }: Readonly<NonTextOutput>): number => Math.ceil(read / READ_PER_TOKEN)

/** Tokens of the audio output (docs/reference/tokens.md#realtime-audio). */
export const spokenTokens = ({ seconds }: Readonly<NonTextOutput>): number => audioOutputTokens(seconds)

export const nonTextTokens = (nonText: Readonly<NonTextOutput>): number =>
  PER_TOOL_CALL * nonText.calls + IMAGE_TOKENS * nonText.pictures + spokenTokens(nonText)
