import { flagIn, isObject, numberIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { CacheMark } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { breakpointIn } from '../signature.ts'

/** Reads an optional member; null counts as absent. Throws `malformed` if `read` rejects the value. */
function optional<T>(wire: Json, name: string, read: (value: unknown) => T | undefined): T | undefined {
  const given = wire[name]
  if (given === undefined || given === null) return undefined
  const value = read(given)
  if (value === undefined) throw malformed(name)
  return value
}

export const numberAt = (wire: Json, name: string): number | undefined => optional(wire, name, numberIn)

export const flagAt = (wire: Json, name: string): boolean | undefined => optional(wire, name, flagIn)

export const textAt = (wire: Json, name: string): string | undefined => optional(wire, name, textIn)

/** Reads the cache mark of a part: OpenAI's `prompt_cache_breakpoint`, or OpenRouter's `cache_control`. */
export function markIn(part: Json): { cache: CacheMark } | undefined {
  const cache = breakpointIn(part.prompt_cache_breakpoint)
  return cache ? { cache } : cacheIn(part.cache_control)
}

export function cacheIn(value: unknown): { cache: CacheMark } | undefined {
  if (!isObject(value)) return undefined
  const ttl = value.ttl === '5m' || value.ttl === '1h' ? value.ttl : undefined
  return { cache: ttl ? { ttl } : {} }
}

export const cacheOut = (cache: CacheMark | undefined): Json =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache.ttl ? { ttl: cache.ttl } : {}) } } : {}
