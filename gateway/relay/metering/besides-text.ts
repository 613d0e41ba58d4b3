import type { AnswerEvent } from '../formats/events.ts'
import type { TokenEstimator } from '../tokenizer/estimate.ts'
import { plainSound, saidTokens, soundBytes } from '../tokenizer/sound.ts'

/** What an answer has besides text: how many calls and pictures, and how many seconds of speech. */
export type Besides = { calls: number; pictures: number; seconds: number }

/** Of an answer that has not begun. */
export const nothingBesides = (): Besides => ({ calls: 0, pictures: 0, seconds: 0 })

/** Tokens added for each parallel tool call when the upstream gives no usage (docs/reference/billing.md#missing-usage). */
const PER_TOOL_CALL = 7
/** Calls of one answer that are counted. */
const MAX_CALLS = 10_000
/** Tokens of a picture without a usage (docs/reference/billing.md#images). */
export const PICTURE_TOKENS = 258

/** Takes what an event adds to its answer: text goes to the estimator, the rest to `besides`. False for one that adds nothing. */
export function addSaid(event: AnswerEvent, estimator: TokenEstimator, besides: Besides): boolean {
  if (event.type === 'text' || event.type === 'refusal' || event.type === 'reasoning') {
    estimator.add(event.text)
    return event.text !== ''
  }
  if (event.type === 'tool') {
    const text = (event.name ?? '') + (event.json ?? '')
    besides.calls = Math.max(besides.calls, Math.min(event.call + 1, MAX_CALLS))
    estimator.add(text)
    return text !== ''
  }
  if (event.type !== 'media') return false
  estimator.add(event.transcript ?? '')
  if (event.mime.startsWith('image/')) besides.pictures += 1
  else if (event.mime.startsWith('audio/')) listen(besides, event.data)
  return true
}

/** Adds a piece of what is said aloud, in base64; streams have it as PCM alone. */
function listen(besides: Besides, base64: unknown): void {
  besides.seconds += soundBytes(base64) / plainSound.said
}

/** The tokens of what was said aloud (docs/reference/tokens.md#realtime-sound). */
export const spokenTokens = ({ seconds }: Readonly<Besides>): number => saidTokens(seconds)

/** The tokens of all that is no text. */
export const tokensBesides = (besides: Readonly<Besides>): number =>
  PER_TOOL_CALL * besides.calls + PICTURE_TOKENS * besides.pictures + spokenTokens(besides)
