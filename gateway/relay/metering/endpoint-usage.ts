import { isObject, type JsonObject, numberIn, objectIn, objectsIn } from '../../base/json/json.ts'
import { tokenCount, type Usage, usageOf } from '../../billing/usage.ts'
import { tokensOfKind } from '../formats/gemini/usage.ts'
import { IMAGE_TOKENS, isImage } from '../providers/gemini.ts'
import { whisperTokens } from '../tokenizer/recording-size.ts'

const MAX_SECONDS = 24 * 3600

/**
 * The usage of a response that is not a conversation, under any of the vendors' names; undefined if it has none that is
 * plausible (docs/reference/conversion.md#usage, OpenAI's API reference, and those of Jina, SiliconFlow and Gemini).
 */
export function usageIn(json: JsonObject): Usage | undefined {
  const usage = objectIn(json.usage)
  if (usage.type === 'duration') return byDuration(usage.seconds)
  return counted(usage) ?? counted(figuresOf(json)) ?? counted(picturesIn(json))
}

function counted(usage: JsonObject): Usage | undefined {
  const prompt = tokenCount(usage.input_tokens ?? usage.prompt_tokens ?? usage.total_tokens)
  const completion = tokenCount(usage.output_tokens ?? usage.completion_tokens ?? 0)
  if (prompt === undefined || completion === undefined || prompt + completion === 0) return undefined
  const details = objectIn(usage.input_tokens_details ?? usage.input_token_details ?? usage.prompt_tokens_details)
  return usageOf({
    prompt,
    completion,
    cacheRead: part(details.cached_tokens, prompt),
    imageInput: part(details.image_tokens, prompt),
    audioInput: part(details.audio_tokens, prompt),
  })
}

/** A part of a total, capped at the total. */
const part = (value: unknown, total: number): number => Math.min(tokenCount(value) ?? 0, total)

/** SiliconFlow's and Xinference's `meta.tokens`, Cohere's `meta.billed_units`, Gemini's `usageMetadata`. */
function figuresOf({ meta, usageMetadata }: JsonObject): JsonObject {
  const { tokens, billed_units } = objectIn(meta)
  if (isObject(tokens)) return tokens
  return isObject(billed_units) ? billed_units : embeddedIn(objectIn(usageMetadata))
}

/** The figures of Gemini's embeddings. Videos, which cost even more than recordings, count as recordings. */
function embeddedIn({ promptTokenCount, promptTokensDetails, promptTokenDetails }: JsonObject): JsonObject {
  const kinds = [...objectsIn(promptTokensDetails), ...objectsIn(promptTokenDetails)]
  const audio_tokens = tokensOfKind(kinds, 'AUDIO') + tokensOfKind(kinds, 'VIDEO')
  return {
    input_tokens: promptTokenCount,
    input_tokens_details: { audio_tokens, image_tokens: tokensOfKind(kinds, 'IMAGE') },
  }
}

/** Imagen reports no usage: each image counts as many tokens as an image in a Gemini prompt has. */
const picturesIn = ({ predictions }: JsonObject): JsonObject => ({
  input_tokens: IMAGE_TOKENS * objectsIn(predictions).filter(isImage).length,
})

/**
 * The number of images in a response; undefined if it has no list of them. Vendors also list images that failed, which
 * do not count.
 */
export function imagesIn({ data, predictions }: JsonObject): number | undefined {
  if (Array.isArray(predictions)) return objectsIn(predictions).filter(isImage).length
  return Array.isArray(data) ? objectsIn(data).filter(({ error }) => !error).length : undefined
}

/** The usage billed by the minute, from the vendor's seconds. */
export function byDuration(value: unknown): Usage | undefined {
  const seconds = typeof value === 'string' ? Number(value) : numberIn(value)
  if (seconds === undefined || seconds <= 0 || seconds > MAX_SECONDS) return undefined
  return usageOf({ prompt: whisperTokens(seconds) })
}

/** Adds two usages: a response may report one for each image. */
export const joined = (one: Usage | null, other: Usage): Usage =>
  one === null
    ? other
    : usageOf({
        ...other,
        prompt: one.prompt + other.prompt,
        completion: one.completion + other.completion,
        cacheRead: one.cacheRead + other.cacheRead,
        imageInput: one.imageInput + other.imageInput,
        audioInput: one.audioInput + other.audioInput,
      })
