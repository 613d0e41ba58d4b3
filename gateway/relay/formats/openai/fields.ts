import { flagIn, isObject, numberIn, textIn } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { CacheMark } from '../conversation.ts'
import { malformed } from '../refusals.ts'
import { breakpointIn } from '../signature.ts'

/** A member that may be absent or null; one of another type than `read` takes is refused under the member's name. */
function optional<T>(wire: Json, name: string, read: (value: unknown) => T | undefined): T | undefined {
  const given = wire[name]
  if (given === undefined || given === null) return undefined
  const value = read(given)
  if (value === undefined) throw malformed(name)
  return value
}

/** A number, where one is given; throws `malformed` for anything else. */
export const numberAt = (wire: Json, name: string): number | undefined => optional(wire, name, numberIn)

/** True or false, where given; throws `malformed` for anything else. */
export const flagAt = (wire: Json, name: string): boolean | undefined => optional(wire, name, flagIn)

/** Text, where given; throws `malformed` for anything else. */
export const textAt = (wire: Json, name: string): string | undefined => optional(wire, name, textIn)

/** The cache mark of a part: OpenAI's `prompt_cache_breakpoint`, or `cache_control` as OpenRouter takes it in this dialect. */
export function markIn(part: Json): { cache: CacheMark } | undefined {
  const cache = breakpointIn(part.prompt_cache_breakpoint)
  return cache ? { cache } : cacheIn(part.cache_control)
}

/** A `cache_control`, which tools have too. */
export function cacheIn(value: unknown): { cache: CacheMark } | undefined {
  if (!isObject(value)) return undefined
  const ttl = value.ttl === '5m' || value.ttl === '1h' ? value.ttl : undefined
  return { cache: ttl ? { ttl } : {} }
}

/** A cache mark as `cache_control`; nothing where there is none. */
export const cacheOut = (cache: CacheMark | undefined): Json =>
  cache ? { cache_control: { type: 'ephemeral', ...(cache.ttl ? { ttl: cache.ttl } : {}) } } : {}
