import { isObject } from '../../../base/json/json.ts'
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

/**
 * A member of a block or tool that only this dialect has. It follows what it belongs to as an extra of its own, under
 * the member's name, so that other dialects take the block and report the member.
 */
type Addition = Readonly<{
  type: 'extra'
  of: 'anthropic'
  name: string
  value: Readonly<{ adds: Json }>
  isCovered?: true
}>

/**
 * The additions of a wire object: its members that are not known here and say something. Nobody else misses those that
 * are `covered`.
 */
export function additionsOf(wire: Json, known: ReadonlySet<string>, covered = NONE): readonly Addition[] {
  const found: Addition[] = []
  for (const name in wire) {
    if (known.has(name) || wire[name] == null) continue
    const added = addition(name, wire[name])
    found.push(covered.has(name) ? { ...added, isCovered: true } : added)
  }
  return found
}

const NONE: ReadonlySet<string> = new Set()

/** One member of the object before it, in place of what that would otherwise say. `name` is what other dialects report. */
export const addition = (member: string, value: unknown, name = member): Addition => ({
  type: 'extra',
  of: 'anthropic',
  name,
  value: { adds: { [member]: value } },
})

/** The members an extra adds to the object before it; undefined where it stands for itself. */
export function addedBy(extra: Readonly<{ value: unknown }>): Json | undefined {
  if (!isObject(extra.value) || typeof extra.value.type === 'string') return undefined
  return isObject(extra.value.adds) ? extra.value.adds : undefined
}
