import { isObject } from '../../../base/json.ts'
import type { Json } from '../codec.ts'
import type { CacheMark } from '../conversation.ts'

/** The cache mark of a wire object, as the member it has in the conversation; nothing where there is none. */
export function cacheIn(wire: Json): Readonly<{ cache?: CacheMark }> {
  const mark = wire.cache_control
  if (!isObject(mark)) return {}
  return { cache: mark.ttl === '5m' || mark.ttl === '1h' ? { ttl: mark.ttl } : {} }
}

/** A cache mark as the member `cache_control`; nothing where there is none. */
export function cacheOut(cache: CacheMark | undefined): Json {
  if (!cache) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl ? { ttl: cache.ttl } : {}) } }
}
