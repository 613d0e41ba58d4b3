import { isObject, type JsonObject, objectsIn, present } from '../../base/json/json.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Json } from '../formats/codec.ts'
import type { Call } from '../model/call.ts'
import { base64Of } from '../providers/vectors.ts'

/** An answer in the one shape of its endpoint; null where it has that already, and its bytes may pass as they are. */
export function shaped(call: Call, json: unknown): Json | null {
  if (!isObject(json)) return null
  if (call.endpoint === 'embeddings') return packed(call.json, json)
  return call.endpoint === 'rerank' ? ranked(call.json, json) : null
}

/** An answer with what is charged, where its vendor told nothing. */
export function withUsage(call: Call, json: Json, { prompt, completion }: Usage): Json {
  const hasUsage = isObject(json.usage) || (call.endpoint !== 'embeddings' && call.endpoint !== 'rerank')
  return hasUsage ? json : { ...json, usage: { prompt_tokens: prompt, total_tokens: prompt + completion } }
}

/** Vectors of a vendor that knows no base64, for a caller that asked for it. */
function packed(asked: Json, json: JsonObject): Json | null {
  const data = objectsIn(json.data)
  if (asked.encoding_format !== 'base64' || !data.some(({ embedding }) => Array.isArray(embedding))) return null
  const items = data.map((item) =>
    Array.isArray(item.embedding) ? { ...item, embedding: base64Of(item.embedding) } : item,
  )
  return { ...json, data: items }
}

/**
 * `{results: [{index, relevance_score, document?}], usage}`: the documents from the request where they were asked for
 * (docs/reference/channel-types.md#siliconflow-jina-mokaai-ollama-xinference).
 */
function ranked(asked: Json, json: JsonObject): Json | null {
  const documents: unknown[] = Array.isArray(asked.documents) ? asked.documents : []
  const results = objectsIn(json.results)
  const isBare = (result: JsonObject) => asked.return_documents === true && !result.document
  if (isObject(json.usage) && !results.some(isBare)) return null
  const given = new Set<number>()
  const items = results.map((result) => {
    const index = Number(result.index)
    // A document goes out once, however often the vendor names it.
    if (!isBare(result) || given.has(index)) return result
    given.add(index)
    return present({ ...result, document: documentIn(documents[index]) })
  })
  return { ...json, results: items }
}

const documentIn = (document: unknown): unknown => (typeof document === 'string' ? { text: document } : document)
