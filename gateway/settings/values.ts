import {
  clamped,
  decodeOption,
  encodeOption,
  isOptionKey,
  type OptionKey,
  type OptionValue,
  optionKeys,
  options,
} from '../../shared/options/index.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'

/** A row of the options table; both members are strings (docs/reference/options.md#storage). */
export type OptionRow = Readonly<{ key: string; value: string }>

/** One value per setting. Objects and lists are frozen, since they are shared. */
export type OptionValues = Readonly<{ [K in OptionKey]: OptionValue<K> }>

/** Reports an unusable setting; the fields name it and never contain its value. */
export type Warn = (message: string, fields: Readonly<Record<string, unknown>>) => void

/** The values of an empty table: the declared defaults, overridden by `own`. */
export function defaultValues(own: Partial<OptionValues>): OptionValues {
  const declared = Object.fromEntries(Object.entries(options).map(([key, { default: value }]) => [key, value]))
  return frozen({ ...declared, ...own }) as OptionValues // built from the declarations, so it has exactly their keys and types
}

/**
 * Returns `before` overwritten by the rows. An unknown or unreadable row is reported and changes nothing; a number out
 * of bounds is reported and clamped.
 */
export function readRows(rows: readonly OptionRow[], before: OptionValues, warn: Warn): OptionValues {
  return rows.reduce((values, { key, value }) => {
    if (!isOptionKey(key)) {
      warn('unknown option in the table', { option: key })
      return values
    }
    const read = tryDecode(key, value, warn)
    return read === undefined ? values : withValue(values, key, read.value)
  }, before)
}

/**
 * Returns the values after reloading the table: a missing row means the default, an unreadable one the value in force.
 */
export function rereadRows(
  rows: readonly OptionRow[],
  { before, defaults }: Readonly<{ before: OptionValues; defaults: OptionValues }>,
  warn: Warn,
): OptionValues {
  const stored = new Set(rows.map(({ key }) => key))
  const left = optionKeys.map((key) => [key, (stored.has(key) ? before : defaults)[key]])
  return readRows(rows, Object.freeze(Object.fromEntries(left)), warn)
}

/**
 * Returns the values with one changed; an equal value keeps its identity, so that nothing derived from it is rebuilt.
 */
export function withValue<K extends OptionKey>(values: OptionValues, key: K, value: OptionValue<K>): OptionValues {
  if (encodeOption(key, values[key]) === encodeOption(key, value)) return values
  return Object.freeze({ ...values, [key]: frozen(value) })
}

export const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== ''

function tryDecode<K extends OptionKey>(key: K, raw: string, warn: Warn): { value: OptionValue<K> } | undefined {
  try {
    return { value: decodeOption(key, raw) }
  } catch (error) {
    if (!(error instanceof OptionRefusal)) throw error
    const nearest = clamped(key, raw)
    if (nearest !== undefined) {
      warn('option in the table is out of bounds, the nearest bound holds', { option: key, bound: nearest })
      return { value: decodeOption(key, nearest) }
    }
    warn('option in the table cannot be read; the previous value stays in force', { option: key, reason: error.key })
    return undefined
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
