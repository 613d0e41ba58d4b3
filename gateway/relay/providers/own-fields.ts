import { numberIn, objectsIn, present } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { Bridge } from './provider.ts'
import { dropOthers, refuseStream } from './vectors.ts'

/** Jina packs vectors under another name, and refuses OpenAI's: they are packed here (Jina's API reference). */
export const jinaEmbeddings: Bridge = {
  request({ encoding_format, user, ...json }, { model }, drop) {
    if (user !== undefined) drop('user')
    return { ...json, model }
  },
}

/** Mistral refuses members it does not know, and calls the size of vectors otherwise (Mistral's API reference). */
export const mistralEmbeddings: Bridge = {
  request({ dimensions, user, encoding_format, ...json }, { model }, drop) {
    if (user !== undefined) drop('user')
    return present({ ...json, model, output_dimension: dimensions ?? undefined })
  },
}

/** xAI takes these of an image request and no more (docs/reference/channel-types.md#xai). */
export const xaiImages: Bridge = {
  request(json, { model }, drop) {
    const { prompt, n, response_format } = json
    refuseStream('xAI', json)
    dropOthers(json, ['prompt', 'n', 'response_format'], drop)
    return present({ model, prompt, n, response_format })
  },
}

/** SiliconFlow's names for size and number, and for what comes back (SiliconFlow's API reference). */
export const siliconflowImages: Bridge = {
  request({ size, n, batch_size: _, ...json }, { model }) {
    const { image_size = size ?? undefined } = json
    // As many as are paid for.
    return present({ ...json, model, image_size, batch_size: n ?? undefined })
  },
  answer(json) {
    const { images, data, ...rest }: Json = json
    return { ...rest, data: data ?? objectsIn(images) }
  },
}

/**
 * DashScope's ranking: the texts in `input`, everything else in `parameters`
 * (docs/reference/channel-types.md#alibaba-dashscope).
 */
export const aliRerank: Bridge = {
  request(json, { model }, drop) {
    dropOthers(json, ['query', 'documents', 'top_n', 'return_documents'], drop)
    const { query, documents, top_n, return_documents } = json
    return {
      model,
      input: { query, documents },
      parameters: present({ top_n: top_n ?? undefined, return_documents: return_documents ?? true }),
    }
  },
  answer({ output, usage, request_id }, { model }) {
    const results = typeof output === 'object' && output !== null && 'results' in output ? output.results : []
    return present({ id: request_id, model, results: objectsIn(results), usage })
  },
}

/** The edit that keeps `top_p` within what a vendor takes: none where it fits, or was not given. */
export function topPWithin({ top_p }: Json, min: number, max: number): readonly (readonly [string, unknown])[] {
  const given = numberIn(top_p)
  if (given === undefined || (given >= min && given <= max)) return []
  return [['top_p', Math.min(Math.max(given, min), max)]]
}
