import { isObject, type JsonObject, objectIn, objectsIn, present, textIn } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import { malformed } from '../formats/refusals.ts'
import type { Call } from '../model/call.ts'
import type { Endpoint } from '../model/endpoint.ts'
import { numbersIn } from '../providers/vectors.ts'

/** Gemini's endpoints that are not conversations, each with the one of OpenAI that it is converted to if necessary. */
export const openAiSibling: Readonly<Partial<Record<Endpoint, Endpoint>>> = {
  'embed-content': 'embeddings',
  'batch-embed-contents': 'embeddings',
  predict: 'images',
}

export const asOpenAi = (call: Call, drop: (name: string) => void): Json =>
  call.endpoint === 'predict' ? asImages(call, drop) : asEmbeddings(call, drop)

export function asGemini(call: Call, json: Json): Json {
  if (call.endpoint === 'predict') return { predictions: objectsIn(json.data).map(predictionOf) }
  const found = objectsIn(json.data).map(({ embedding }) => ({ values: numbersIn(embedding) }))
  return call.endpoint === 'embed-content' ? { embedding: found[0] ?? { values: [] } } : { embeddings: found }
}

/** Gemini's embedding requests also have the model in the body, where it must be the upstream's name. */
export function modelEdits(call: Call, model: string): ReadonlyMap<string, unknown> {
  if (call.endpoint === 'predict') return new Map()
  const name = `models/${model}`
  if (call.endpoint === 'embed-content')
    return new Map('model' in call.json && call.json.model !== name ? [['model', name]] : [])
  const requests = requestsIn(call.json)
  if (requests.every((request) => request.model === name)) return new Map()
  return new Map([['requests', requests.map((request) => ({ ...request, model: name }))]])
}

function asEmbeddings(call: Call, drop: (name: string) => void): Json {
  const contents = call.endpoint === 'embed-content' ? [call.json] : requestsIn(call.json)
  const [first = {}] = contents
  const dimensions = first.outputDimensionality ?? first.output_dimensionality
  for (const request of contents)
    for (const name in request)
      if (!EMBEDDING_FIELDS.has(name)) drop(call.endpoint === 'embed-content' ? name : `requests.${name}`)
  return present({ model: call.model, input: contents.map(textOf), dimensions, encoding_format: 'float' })
}

const EMBEDDING_FIELDS = new Set(['model', 'content', 'outputDimensionality', 'output_dimensionality'])

function requestsIn({ requests }: Json): readonly JsonObject[] {
  if (!Array.isArray(requests) || !requests.every(isObject)) throw malformed('requests')
  return requests
}

const textOf = ({ content }: JsonObject): string =>
  objectsIn(objectIn(content).parts)
    .map(({ text }) => textIn(text) ?? '')
    .join('\n')

/**
 * Converts Imagen's request to OpenAI's, except the number of images (`withCount`); requests the images as bytes, which
 * Imagen's callers expect.
 */
function asImages({ json, model }: Call, drop: (name: string) => void): Json {
  const { sampleCount: _, sample_count: __, aspectRatio, ...others } = objectIn(json.parameters)
  for (const name in others) drop(`parameters.${name}`)
  for (const name in json) if (name !== 'instances' && name !== 'parameters') drop(name)
  const [first = {}] = objectsIn(json.instances)
  for (const name in first) if (name !== 'prompt') drop(`instances.${name}`)
  const size = sizeOf(textIn(aspectRatio), model)
  const alwaysBytes = model.startsWith('gpt-image')
  return present({
    model,
    prompt: first.prompt,
    size,
    response_format: alwaysBytes ? undefined : 'b64_json',
  })
}

const PORTRAIT = new Set(['3:4', '9:16'])
const LANDSCAPE = new Set(['4:3', '16:9'])

/** Returns OpenAI's nearest size for a ratio (OpenAI's API reference, "Create image", `size`). */
function sizeOf(ratio: string | undefined, model: string): string | undefined {
  if (ratio === undefined) return undefined
  const long = model.startsWith('dall-e') ? 1792 : 1536
  if (PORTRAIT.has(ratio)) return `1024x${long}`
  return LANDSCAPE.has(ratio) ? `${long}x1024` : '1024x1024'
}

const predictionOf = ({ b64_json: bytes, url }: JsonObject): Json =>
  bytes === undefined ? { url } : { mimeType: 'image/png', bytesBase64Encoded: bytes }
