import { refuse } from '../../base/errors.ts'
import { type JsonObject, objectIn, objectsIn, own, present } from '../../base/json/json.ts'
import { slips } from './gemini-slips.ts'
import type { Bridge, Provider, Target } from './provider.ts'
import { dropOthers, embeddingList, inputTexts, refuseStream, unsupportedField } from './vectors.ts'

const below = (action: string) => (target: Target) =>
  `${target.channel.baseUrl}/${target.geminiVersion(target.model)}/models/${encodeURIComponent(target.model)}:${action}`

/** The path of Live API sessions (Gemini API, "Live API - WebSockets API reference"). */
export const LIVE_PATH = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

/** Sends OpenAI's embeddings as one batch (Gemini API reference, "batchEmbedContents"). */
const embeddings: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, ['input', 'dimensions', 'encoding_format'], drop)
    const outputDimensionality = json.dimensions ?? undefined
    const requests = inputTexts('Gemini', json).map((text) =>
      present({ model: `models/${model}`, content: { parts: [{ text }] }, outputDimensionality }),
    )
    return { requests }
  },
  answer({ embeddings: found, usageMetadata }, original) {
    const vectors = objectsIn(found).map(({ values }) => values)
    return embeddingList(vectors, objectIn(usageMetadata).promptTokenCount, original)
  },
}

/** Tokens of an image (Gemini API, "Understand and count tokens"). */
export const IMAGE_TOKENS = 258
const SQUARE = '1:1'
const aspects: Readonly<Record<string, string>> = { '1024x1024': SQUARE, '1024x1792': '9:16', '1792x1024': '16:9' }

/**
 * Images of the `imagen` family (docs/reference/channel-types.md#google-gemini); those removed by its filter are
 * missing.
 */
const images: Bridge = {
  request(json, { model }, drop) {
    if (!model.startsWith('imagen')) throw unsupportedField('Gemini', 'model')
    refuseStream('Gemini', json)
    dropOthers(json, ['prompt', 'n', 'size', ...(json.response_format === 'b64_json' ? ['response_format'] : [])], drop)
    const aspectRatio = typeof json.size === 'string' ? (own(aspects, json.size) ?? SQUARE) : SQUARE
    return {
      instances: [{ prompt: json.prompt }],
      parameters: { sampleCount: json.n, aspectRatio, personGeneration: 'allow_adult' },
    }
  },
  answer({ predictions }) {
    const data = objectsIn(predictions)
      .filter(isImage)
      .map(({ bytesBase64Encoded }) => ({ b64_json: bytesBase64Encoded }))
    if (data.length === 0) throw noImages()
    const tokens = IMAGE_TOKENS * data.length
    return { data, usage: { input_tokens: tokens, output_tokens: 0, total_tokens: tokens } }
  },
}

export const isImage = ({ raiFilteredReason, bytesBase64Encoded }: JsonObject): boolean =>
  !raiFilteredReason && typeof bytesBase64Encoded === 'string'

const noImages = () => refuse('invalid', 'relay.noImages', {}, { code: 'no_images', param: 'prompt' })

/** Imagen in its own form; a response whose images were all removed is not charged. */
const predict: Bridge = {
  request: (json) => json,
  answer(json) {
    if (!objectsIn(json.predictions).some(isImage)) throw noImages()
    return json
  },
}

/**
 * Google's Gemini API (docs/reference/channel-types.md#google-gemini). Streams are always requested as server-sent
 * events.
 */
export const gemini: Provider = {
  paths: {
    generate: (target) =>
      target.stream ? `${below('streamGenerateContent')(target)}?alt=sse` : below('generateContent')(target),
    'embed-content': below('embedContent'),
    'batch-embed-contents': below('batchEmbedContents'),
    embeddings: below('batchEmbedContents'),
    images: below('predict'),
    predict: below('predict'),
    live: ({ channel }) => `${channel.baseUrl}${LIVE_PATH}`,
  },
  countTokensPaths: { generate: below('countTokens') },
  headers: ({ channel }) => ({ 'x-goog-api-key': channel.key }),
  bridges: { embeddings, images, predict },
  ...slips,
}
