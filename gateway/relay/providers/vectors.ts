import { type GatewayError, refuse } from '../../base/errors.ts'
import type { Json } from '../formats/codec.ts'
import type { OriginalRequest } from './provider.ts'

/** Creates the error for a field that a vendor cannot express and that would change the meaning if left out. */
export const unsupportedField = (vendor: string, field: string): GatewayError =>
  refuse('invalid', 'relay.cannotConvert', { field, target: vendor }, { code: 'convert_request_failed', param: field })

/** Max texts of one request: OpenAI's limit ("Create embeddings"); other vendors accept fewer. */
const MAX_TEXTS = 2048

/** Returns the texts to embed; throws for tokens, which only OpenAI's own kind of API accepts, and for too many. */
export function inputTexts(vendor: string, { input }: Json): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  if (texts.length > MAX_TEXTS)
    throw refuse(
      'invalid',
      'relay.badRequest',
      { reason: `the field "input" has more than ${MAX_TEXTS} entries` },
      { code: 'convert_request_failed', param: 'input' },
    )
  return texts.map((text) => {
    if (typeof text !== 'string') throw unsupportedField(vendor, 'input')
    return text
  })
}

export function refuseStream(vendor: string, { stream }: Json): void {
  if (stream === true) throw unsupportedField(vendor, 'stream')
}

/** Reports the members of a request that a vendor does not know, unless they are null. */
export function dropOthers(json: Json, known: readonly string[], drop: (name: string) => void): void {
  for (const name in json) if (!known.includes(name) && name !== 'model' && json[name] !== null) drop(name)
}

/**
 * Writes an embedding response in OpenAI's form, one item for each vector; omits `usage` if `tokens` is not reported.
 */
export function embeddingList(vectors: readonly unknown[], tokens: unknown, { json, model }: OriginalRequest): Json {
  const packed = json.encoding_format === 'base64'
  const data = vectors.map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: packed && Array.isArray(vector) ? base64Of(vector) : vector,
  }))
  const usage = typeof tokens === 'number' ? { usage: { prompt_tokens: tokens, total_tokens: tokens } } : {}
  return { object: 'list', data, model, ...usage }
}

const FLOAT_BYTES = 4

/** Packs numbers like OpenAI: 32-bit floats, little-endian like all processors supported here, in base64. */
export function base64Of(numbers: readonly unknown[]): string {
  const floats = Float32Array.from(numbers, Number)
  return Buffer.from(floats.buffer).toString('base64')
}

export function numbersIn(vector: unknown): readonly unknown[] {
  if (typeof vector !== 'string') return Array.isArray(vector) ? vector : []
  const bytes = Buffer.from(vector, 'base64')
  // Copied, since the bytes of a buffer may not be aligned.
  const floats = new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / FLOAT_BYTES))
  const numbers = new Array<number>(floats.length)
  // Three times as fast as `Array.from`, which iterates.
  for (let at = 0; at < floats.length; at += 1) numbers[at] = floats[at] ?? 0
  return numbers
}
