import { isObject, type JsonObject } from '../../base/json/json.ts'
import type { CacheMark, Signature } from './conversation.ts'
import { type Format, formats } from './format.ts'

const MARK = 'switchyard'

/**
 * A signature as the dialect's field for signatures holds it: the vendor's own as it is, another vendor's under a mark,
 * so that a client which sends thoughts back sends the right seal to the right vendor.
 */
export function sealed(signature: Signature, format: Format): string {
  if (signature.by === format && signature.id === undefined) return signature.value
  return [MARK, signature.by, signature.id ?? '', signature.value].join(':')
}

/** The signature a field of the dialect holds; one without a mark is the vendor's own. */
export function unsealed(text: string, format: Format): Signature {
  const [mark, by, id, ...value] = text.split(':')
  const from = mark === MARK ? formats.find((known) => known === by) : undefined
  if (!from) return { by: format, value: text }
  return { by: from, value: value.join(':'), ...(id ? { id } : {}) }
}

/**
 * The mark that OpenAI's `prompt_cache_breakpoint` on a part makes; undefined without one. Its breakpoints live for half
 * an hour or half a day: the nearest that other vendors know are their short and long ones.
 */
export function breakpointIn(value: unknown): CacheMark | undefined {
  if (!isObject(value)) return undefined
  return value.ttl === '12h' ? { ttl: '1h' } : {}
}

/** A mark as the member of a part that OpenAI has for it. */
export const breakpointOut = ({ ttl }: CacheMark): JsonObject => ({
  prompt_cache_breakpoint: { mode: 'explicit', ...(ttl === '1h' ? { ttl: '12h' } : {}) },
})
