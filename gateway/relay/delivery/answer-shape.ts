import { isObject, type JsonObject, objectsIn, present } from '../../base/json/json.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Json } from '../formats/codec.ts'
import type { Call } from '../model/call.ts'
import { base64Of } from '../providers/vectors.ts'

/**
 * Normalizes a response to the one shape of its endpoint; null if it has that shape, so that its bytes may pass
 * unchanged.
 */
export function shaped(call: Call, json: unknown): Json | null {
  if (!isObject(json)) return null
  if (call.endpoint === 'embeddings') return packed(call.json, json)
  return call.endpoint === 'rerank' ? ranked(call.json, json) : null
}

export function withUsage(call: Call, json: Json, { prompt, completion }: Usage): Json {
  const hasUsage = isObject(json.usage) || (call.endpoint !== 'embeddings' && call.endpoint !== 'rerank')
  return hasUsage ? json : { ...json, usage: { prompt_tokens: prompt, total_tokens: prompt + completion } }
}

/** Encodes vectors as base64 for a caller that requested it, if the vendor does not support it. */
function packed(request: Json, json: JsonObject): Json | null {
  const data = objectsIn(json.data)
  if (request.encoding_format !== 'base64' || !data.some(({ embedding }) => Array.isArray(embedding))) return null
  const items = data.map((item) =>
    Array.isArray(item.embedding) ? { ...item, embedding: base64Of(item.embedding) } : item,
  )
  return { ...json, data: items }
}

/**
 * `{results: [{index, relevance_score, document?}], usage}`: with the documents from the request if they were requested
 * (docs/reference/channel-types.md#siliconflow-jina-mokaai-ollama-xinference).
 */
function ranked(request: Json, json: JsonObject): Json | null {
  const documents: unknown[] = Array.isArray(request.documents) ? request.documents : []
  const results = objectsIn(json.results)
  const isBare = (result: JsonObject) => request.return_documents === true && !result.document
  if (isObject(json.usage) && !results.some(isBare)) return null
  const sent = new Set<number>()
  const items = results.map((result) => {
    const index = Number(result.index)
    // A document is sent once, however often the vendor names it.
    if (!isBare(result) || sent.has(index)) return result
    sent.add(index)
    return present({ ...result, document: documentIn(documents[index]) })
  })
  return { ...json, results: items }
}

const documentIn = (document: unknown): unknown => (typeof document === 'string' ? { text: document } : document)
