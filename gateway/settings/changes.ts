import type { OptionKey, OptionValue } from '../../shared/options/index.ts'
import type { OptionValues, Warn } from './values.ts'

/** Told which settings have changed, after the new values are in force; nobody waits for what it answers. */
export type ChangeListener = (changed: readonly OptionKey[]) => unknown

/** Holds the values in force and tells who asked when some are exchanged. */
export function openChanges(initial: OptionValues, warn: Warn) {
  let values = initial
  /** Values by name: a Map is read several times as fast as an object of so many members. */
  let byName = tableOf(initial)
  const listeners = new Set<{ keys: ReadonlySet<OptionKey>; tell: ChangeListener }>()

  return {
    values: (): OptionValues => values,

    // The table has the type of value that belongs to each name.
    value: <K extends OptionKey>(key: K) => byName.get(key) as OptionValue<K>,

    /** Exchanges all values at once, then tells the listeners. One that fails is reported and does not stop the others. */
    putInForce(next: OptionValues): void {
      const before = values
      values = next
      byName = tableOf(next)
      for (const { keys, tell } of [...listeners]) {
        const changed = [...keys].filter((key) => before[key] !== next[key])
        if (changed.length > 0) tellSafely(tell, changed, warn)
      }
    },

    onChange(keys: readonly OptionKey[], tell: ChangeListener): () => void {
      const listener = { keys: new Set(keys), tell }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Builds on first use and whenever one of `keys` is no longer what it was; never stale, also inside a listener. */
    derive<T>(keys: readonly OptionKey[], build: () => T): () => T {
      let made: { from: OptionValues; product: T } | undefined
      return () => {
        const from = values
        if (made?.from === from) return made.product
        const isSame = made !== undefined && keys.every((key) => made?.from[key] === from[key])
        made = { from, product: made !== undefined && isSame ? made.product : build() }
        return made.product
      }
    },
  }
}

const tableOf = (values: OptionValues): ReadonlyMap<string, unknown> => new Map(Object.entries(values))

function tellSafely(tell: ChangeListener, changed: readonly OptionKey[], warn: Warn): void {
  const failed = (error: unknown) => warn('a listener to settings failed', { options: changed, error })
  try {
    void Promise.resolve(tell(changed)).catch(failed)
  } catch (error) {
    failed(error)
  }
}
