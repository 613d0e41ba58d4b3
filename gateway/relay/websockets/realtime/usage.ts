import { objectIn } from '../../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../../billing/usage.ts'

/**
 * The usage of a `response.done` or of a finished transcription (OpenAI's API reference, "Realtime server events");
 * undefined if missing or implausible. Cached audio has the price of cached text, so it counts as cache reads and not
 * as audio.
 */
export function realtimeUsage(value: unknown): Usage | undefined {
  const wire = objectIn(value)
  if (wire.type === 'duration') return byDuration(wire.seconds)
  const prompt = tokenCount(wire.input_tokens)
  const completion = tokenCount(wire.output_tokens)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  const inputDetails = objectIn(wire.input_token_details ?? wire.input_tokens_details)
  const outputDetails = objectIn(wire.output_token_details ?? wire.output_tokens_details)
  const cacheRead = Math.min(tokenCount(inputDetails.cached_tokens) ?? 0, prompt)
  const cached = objectIn(inputDetails.cached_tokens_details)
  return usageOf({
    prompt,
    completion,
    cacheRead,
    audioInput: beyond(inputDetails.audio_tokens, cached.audio_tokens, prompt),
    imageInput: beyond(inputDetails.image_tokens, cached.image_tokens, prompt),
    audioOutput: Math.min(tokenCount(outputDetails.audio_tokens) ?? 0, completion),
  })
}

const beyond = (all: unknown, cached: unknown, max: number): number =>
  Math.min(Math.max((tokenCount(all) ?? 0) - (tokenCount(cached) ?? 0), 0), max)

/** Recordings billed by duration: a thousand tokens per minute (docs/reference/tokens.md#recordings). */
function byDuration(seconds: unknown): Usage | undefined {
  if (typeof seconds !== 'number' || !(seconds > 0) || seconds > MAX_SECONDS) return undefined
  return usageOf({ prompt: Math.round((Math.ceil(seconds) / 60) * 1000) })
}

const MAX_SECONDS = 24 * 60 * 60
