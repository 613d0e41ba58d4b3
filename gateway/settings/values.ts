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

/** One row of the options table; both sides are strings (docs/reference/options.md#storage). */
export type OptionRow = Readonly<{ key: string; value: string }>

/** One value per setting. Objects and lists in it are frozen, since everyone shares them. */
export type OptionValues = Readonly<{ [K in OptionKey]: OptionValue<K> }>

/** Where a setting that cannot be used is reported; the fields name it and never hold its value. */
export type Warn = (message: string, fields: Readonly<Record<string, unknown>>) => void

/** What holds while the table is empty: the declared defaults, with `own` in place of theirs. */
export function defaultValues(own: Partial<OptionValues>): OptionValues {
  const declared = Object.fromEntries(Object.entries(options).map(([key, { default: value }]) => [key, value]))
  return frozen({ ...declared, ...own }) as OptionValues // built from the declarations: exactly their keys and types
}

/** The values after reading the table over `before`. An unknown or unreadable row is reported and changes nothing. */
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

/** The values after reading the table again: without a row the default holds, with one that cannot be read what was in force. */
export function rereadRows(
  rows: readonly OptionRow[],
  { before, defaults }: Readonly<{ before: OptionValues; defaults: OptionValues }>,
  warn: Warn,
): OptionValues {
  const stored = new Set(rows.map(({ key }) => key))
  const left = optionKeys.map((key) => [key, (stored.has(key) ? before : defaults)[key]])
  return readRows(rows, Object.freeze(Object.fromEntries(left)), warn)
}

/** The values with one of them changed; an equal value keeps its identity, so that nothing built from it is built again. */
export function withValue<K extends OptionKey>(values: OptionValues, key: K, value: OptionValue<K>): OptionValues {
  if (encodeOption(key, values[key]) === encodeOption(key, value)) return values
  return Object.freeze({ ...values, [key]: frozen(value) })
}

/** Whether a setting another one depends on has been filled in. */
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
    warn('option in the table cannot be read, what was in force stays', { option: key, reason: error.key })
    return undefined
  }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
