import { isObject, type JsonObject, objectIn, objectsIn, present, textIn } from '../../base/json.ts'
import type { Json } from '../formats/codec.ts'
import { malformed } from '../formats/refusals.ts'
import type { Call } from '../model/call.ts'
import { numbersIn } from '../providers/vectors.ts'

/** A call for Gemini's `embedContent` or `batchEmbedContents` in OpenAI's form; tells what that has no word for. */
export function asEmbeddings(call: Call, drop: (name: string) => void): Json {
  const asked = call.endpoint === 'embed-content' ? [call.json] : requestsIn(call.json)
  const [first = {}] = asked
  const dimensions = first.outputDimensionality ?? first.output_dimensionality
  for (const request of asked)
    for (const name in request)
      if (!FIELDS.has(name)) drop(call.endpoint === 'embed-content' ? name : `requests.${name}`)
  return present({ model: call.model, input: asked.map(textOf), dimensions, encoding_format: 'float' })
}

const FIELDS = new Set(['model', 'content', 'outputDimensionality', 'output_dimensionality'])

/** An answer in OpenAI's form as Gemini has it. */
export function asGemini(call: Call, json: Json): Json {
  const found = objectsIn(json.data).map(({ embedding }) => ({ values: numbersIn(embedding) }))
  return call.endpoint === 'embed-content' ? { embedding: found[0] ?? { values: [] } } : { embeddings: found }
}

/** Gemini says the model in the body too, where it has to be the upstream's name as well. */
export function modelEdits(call: Call, model: string): ReadonlyMap<string, unknown> {
  const name = `models/${model}`
  if (call.endpoint === 'embed-content')
    return new Map('model' in call.json && call.json.model !== name ? [['model', name]] : [])
  const requests = requestsIn(call.json)
  if (requests.every((request) => request.model === name)) return new Map()
  return new Map([['requests', requests.map((request) => ({ ...request, model: name }))]])
}

function requestsIn({ requests }: Json): readonly JsonObject[] {
  if (!Array.isArray(requests) || !requests.every(isObject)) throw malformed('requests')
  return requests
}

/** Texts of several parts are one text to embed. */
const textOf = ({ content }: JsonObject): string =>
  objectsIn(objectIn(content).parts)
    .map(({ text }) => textIn(text) ?? '')
    .join('\n')
