import type { OptionKey, OptionValue } from '../../shared/options/index.ts'
import type { OptionValues, Warn } from './values.ts'

/** Called with the settings that changed, after the new values are in force; its result is not awaited. */
export type ChangeListener = (changed: readonly OptionKey[]) => unknown

/** Holds the values in force and notifies listeners of changes. */
export function openChanges(initial: OptionValues, warn: Warn) {
  let values = initial
  /** Values by name: reading a Map is several times faster than reading an object with this many members. */
  let byName = tableOf(initial)
  const listeners = new Set<{ keys: ReadonlySet<OptionKey>; publish: ChangeListener }>()

  return {
    values: (): OptionValues => values,

    // The table has the right type of value for each name.
    value: <K extends OptionKey>(key: K) => byName.get(key) as OptionValue<K>,

    /**
     * Replaces all values at once, then notifies the listeners. A failing listener is reported and does not stop the
     * others.
     */
    putInForce(next: OptionValues): void {
      const before = values
      values = next
      byName = tableOf(next)
      for (const { keys, publish } of [...listeners]) {
        const changed = [...keys].filter((key) => before[key] !== next[key])
        if (changed.length > 0) notifySafely(publish, changed, warn)
      }
    },

    onChange(keys: readonly OptionKey[], publish: ChangeListener): () => void {
      const listener = { keys: new Set(keys), publish }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /**
     * Returns a function that caches the result of `build`, and builds it again on the next use after one of `keys` has
     * changed; never stale, even inside a listener.
     */
    derive<T>(keys: readonly OptionKey[], build: () => T): () => T {
      let cached: { from: OptionValues; product: T } | undefined
      return () => {
        const from = values
        if (cached?.from === from) return cached.product
        const isSame = cached !== undefined && keys.every((key) => cached?.from[key] === from[key])
        cached = { from, product: cached !== undefined && isSame ? cached.product : build() }
        return cached.product
      }
    },
  }
}

const tableOf = (values: OptionValues): ReadonlyMap<string, unknown> => new Map(Object.entries(values))

function notifySafely(listener: ChangeListener, changed: readonly OptionKey[], warn: Warn): void {
  const failed = (error: unknown) => warn('a listener to settings failed', { options: changed, error })
  try {
    void Promise.resolve(listener(changed)).catch(failed)
  } catch (error) {
    failed(error)
  }
}
