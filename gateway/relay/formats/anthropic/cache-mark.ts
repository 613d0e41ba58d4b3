import { isObject } from '../../../base/json/json.ts'
import type { Json } from '../codec.ts'
import type { CacheMark } from '../conversation.ts'

export function cacheIn(wire: Json): Readonly<{ cache?: CacheMark }> {
  const mark = wire.cache_control
  if (!isObject(mark)) return {}
  return { cache: mark.ttl === '5m' || mark.ttl === '1h' ? { ttl: mark.ttl } : {} }
}

export function cacheOut(cache: CacheMark | undefined): Json {
  if (!cache) return {}
  return { cache_control: { type: 'ephemeral', ...(cache.ttl ? { ttl: cache.ttl } : {}) } }
}

/**
 * A member of a block or tool that only this dialect has. It follows its object as an extra with the member's name, so
 * that other dialects convert the object and report the member.
 */
type Addition = Readonly<{
  type: 'extra'
  of: 'anthropic'
  name: string
  value: Readonly<{ adds: Json }>
  isCovered?: true
}>

/**
 * Returns additions for the unknown members of a wire object that are not null. Leaving out those in `covered` is no
 * loss for other dialects.
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

/** Sets one member of the preceding object, replacing the converted one. `name` is what other dialects report. */
export const addition = (member: string, value: unknown, name = member): Addition => ({
  type: 'extra',
  of: 'anthropic',
  name,
  value: { adds: { [member]: value } },
})

/** Returns the members that an extra adds to the preceding object; undefined if the extra is an object itself. */
export function addedBy(extra: Readonly<{ value: unknown }>): Json | undefined {
  if (!isObject(extra.value) || typeof extra.value.type === 'string') return undefined
  return isObject(extra.value.adds) ? extra.value.adds : undefined
}
