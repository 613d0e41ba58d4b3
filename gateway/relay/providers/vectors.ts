import { type GatewayError, refuse } from '../../base/errors.ts'
import type { Json } from '../formats/codec.ts'
import type { OriginalRequest } from './provider.ts'

/** A vendor cannot be told this, and without it the request would mean something else. */
export const unsupportedField = (vendor: string, field: string): GatewayError =>
  refuse('invalid', 'relay.cannotConvert', { field, target: vendor }, { code: 'convert_request_failed', param: field })

/** The texts to embed; tokens can be told to no vendor but OpenAI's own kind. */
export function inputTexts(vendor: string, { input }: Json): string[] {
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  return texts.map((text) => {
    if (typeof text !== 'string') throw unsupportedField(vendor, 'input')
    return text
  })
}

/** Refuses a stream of a vendor that has none. */
export function refuseStream(vendor: string, { stream }: Json): void {
  if (stream === true) throw unsupportedField(vendor, 'stream')
}

/** Tells which members of a request a vendor is not told: all but those that are. */
export function dropOthers(json: Json, known: readonly string[], drop: (name: string) => void): void {
  for (const name in json) if (!known.includes(name) && name !== 'model' && json[name] !== null) drop(name)
}

/** An embedding answer in OpenAI's form, one item for each vector; `tokens` is left out where the vendor tells none. */
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

const FLOAT = 4

/** Numbers as OpenAI packs them: 32-bit floats, little end first as on every processor that Node runs on here, in base64. */
export function base64Of(numbers: readonly unknown[]): string {
  const floats = Float32Array.from(numbers, Number)
  return Buffer.from(floats.buffer).toString('base64')
}

/** The numbers of a vector, packed or not. */
export function numbersIn(vector: unknown): readonly unknown[] {
  if (typeof vector !== 'string') return Array.isArray(vector) ? vector : []
  const bytes = Buffer.from(vector, 'base64')
  // Copied, since the bytes of a buffer may begin anywhere.
  const floats = new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / FLOAT))
  const numbers = new Array<number>(floats.length)
  // Three times as fast as `Array.from`, which iterates.
  for (let at = 0; at < floats.length; at += 1) numbers[at] = floats[at] ?? 0
  return numbers
}
