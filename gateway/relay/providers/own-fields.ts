import { numberIn, objectsIn, present } from '../../base/json/json.ts'
import type { Json } from '../formats/codec.ts'
import type { Bridge } from './provider.ts'
import { dropOthers, refuseStream } from './vectors.ts'

/** Jina has another member for packed vectors, and refuses OpenAI's: vectors are packed here (Jina's API reference). */
export const jinaEmbeddings: Bridge = {
  request({ encoding_format, user, ...json }, { model }, drop) {
    if (user !== undefined) drop('user')
    return { ...json, model }
  },
}

/** Mistral refuses unknown members, and has another name for the size of vectors (Mistral's API reference). */
export const mistralEmbeddings: Bridge = {
  request({ dimensions, user, encoding_format, ...json }, { model }, drop) {
    if (user !== undefined) drop('user')
    return present({ ...json, model, output_dimension: dimensions ?? undefined })
  },
}

/** xAI accepts only these members of an image request (docs/reference/channel-types.md#xai). */
export const xaiImages: Bridge = {
  request(json, { model }, drop) {
    const { prompt, n, response_format } = json
    refuseStream('xAI', json)
    dropOthers(json, ['prompt', 'n', 'response_format'], drop)
    return present({ model, prompt, n, response_format })
  },
}

/** Renames size and number, and the images in the response, for SiliconFlow (SiliconFlow's API reference). */
export const siliconflowImages: Bridge = {
  request({ size, n, batch_size: _, ...json }, { model }) {
    const { image_size = size ?? undefined } = json
    return present({ ...json, model, image_size, batch_size: n })
  },
  answer(json) {
    const { images, data, ...rest }: Json = json
    return { ...rest, data: data ?? objectsIn(images) }
  },
}

/**
 * DashScope's ranking: the texts are in `input`, everything else in `parameters`
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

/** Returns the edit that limits `top_p` to a vendor's range; none if it fits or is absent. */
export function topPWithin({ top_p }: Json, min: number, max: number): readonly (readonly [string, unknown])[] {
  const given = numberIn(top_p)
  if (given === undefined || (given >= min && given <= max)) return []
  return [['top_p', Math.min(Math.max(given, min), max)]]
}
