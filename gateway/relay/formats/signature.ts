import { isObject, type JsonObject } from '../../base/json/json.ts'
import type { CacheMark, Signature } from './conversation.ts'
import { type Format, formats } from './format.ts'

const MARK = 'switchyard'

/**
 * Writes a signature for the dialect's field: its own without an id unchanged, any other with a mark, so that a client
 * returns each seal to the right vendor.
 */
export function sealed(signature: Signature, format: Format): string {
  if (signature.by === format && signature.id === undefined) return signature.value
  return [MARK, signature.by, signature.id ?? '', signature.value].join(':')
}

/** Reads a signature from a field of the dialect; without a mark it is the vendor's own. */
export function unsealed(text: string, format: Format): Signature {
  const [mark, by, id = ''] = text.split(':', 3)
  const from = mark === MARK ? formats.find((known) => known === by) : undefined
  if (!from) return { by: format, value: text }
  const value = text.slice([mark, by, id, ''].join(':').length)
  return { by: from, value, ...(id ? { id } : {}) }
}

/**
 * Reads OpenAI's `prompt_cache_breakpoint` of a part; undefined without one. Its lifetimes, half an hour and half a
 * day, map to the short and long ones of other vendors.
 */
export function breakpointIn(value: unknown): CacheMark | undefined {
  if (!isObject(value)) return undefined
  return value.ttl === '12h' ? { ttl: '1h' } : {}
}

export const breakpointOut = ({ ttl }: CacheMark): JsonObject => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === '1h' ? { ttl: '12h' } : {}) },
})
