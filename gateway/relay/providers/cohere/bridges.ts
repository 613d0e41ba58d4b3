import { objectIn, objectsIn, present } from '../../../base/json/json.ts'
import type { Bridge } from '../provider.ts'
import { dropOthers, embeddingList, inputTexts } from '../vectors.ts'

/** Cohere's `/v1/rerank` (docs/reference/channel-types.md#cohere): ranks all documents unless fewer are requested. */
export const rerank: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, [...RERANKED, 'rank_fields', 'max_chunks_per_doc'], drop)
    const { query, documents, top_n, return_documents, rank_fields, max_chunks_per_doc } = json
    return present({
      model,
      query,
      documents,
      top_n: top_n ?? (Array.isArray(documents) ? documents.length : undefined),
      return_documents: return_documents ?? true,
      rank_fields,
      max_chunks_per_doc,
    })
  },
  answer({ id, results, meta }, { model }) {
    const ranked = objectsIn(results).map(({ index, relevance_score, document }) =>
      present({ index, relevance_score, document }),
    )
    return present({ id, model, results: ranked, usage: usageIn(meta) })
  },
}

const RERANKED = ['query', 'documents', 'top_n', 'return_documents']

/** Cohere's `/v2/embed`, whose models require the purpose of the vectors; documents by default. */
export const embeddings: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, ['input', 'dimensions', 'encoding_format', 'input_type', 'truncate'], drop)
    return present({
      model,
      texts: inputTexts('Cohere', json),
      input_type: json.input_type ?? 'search_document',
      embedding_types: ['float'],
      output_dimension: json.dimensions ?? undefined,
      truncate: json.truncate,
    })
  },
  answer({ embeddings: found, meta }, original) {
    const { float } = objectIn(found)
    return embeddingList(Array.isArray(float) ? float : [], billedIn(meta), original)
  },
}

const billedIn = (meta: unknown): unknown => objectIn(objectIn(meta).billed_units).input_tokens

function usageIn(meta: unknown) {
  const tokens = billedIn(meta)
  return typeof tokens === 'number' ? { prompt_tokens: tokens, total_tokens: tokens } : undefined
}
