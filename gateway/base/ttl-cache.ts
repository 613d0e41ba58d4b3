/** A bounded map whose entries are believed for a while; the oldest go first. */
export interface TtlCache<K, V> {
  get(key: K): V | undefined
  set(key: K, value: V): void
  delete(key: K): void
  deleteWhere(matches: (value: V) => boolean): void
  clear(): void
}

/** Holds at most `most` entries for `ttlMs` each; `monotonic` gives milliseconds. */
export function createTtlCache<K, V>(most: number, ttlMs: number, monotonic: () => number): TtlCache<K, V> {
  const entries = new Map<K, { value: V; until: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      if (entry.until > monotonic()) return entry.value
      entries.delete(key)
      return undefined
    },
    set(key, value) {
      entries.delete(key)
      entries.set(key, { value, until: monotonic() + ttlMs })
      if (entries.size <= most) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
    delete: (key) => void entries.delete(key),
    deleteWhere(matches) {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key)
    },
    clear: () => entries.clear(),
  }
}
