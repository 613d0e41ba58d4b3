import { option } from '../../../../shared/api/option.ts'
import { isObject, parsed } from '../../../../shared/json.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import { send } from '../../../api/client.ts'
import type { Edits, Entries } from './three-way.ts'

export type OptionTexts = Readonly<Record<string, string>>

/** Reads several options as one set of entries, and writes edits of these entries. */
export type Writer<T> = Readonly<{
  keys: readonly OptionKey[]
  read(texts: OptionTexts): Entries<T>
  write(texts: OptionTexts, edits: Edits<T>): OptionTexts
}>

/** An option to store, and its value when it was read. */
type OptionChange = Readonly<{ key: OptionKey; value: string; base: string }>

export const textsIn = (list: readonly Readonly<{ key: string; value: string }>[]): OptionTexts =>
  Object.fromEntries(list.map(({ key, value }) => [key, value]))

/** The options whose meaning differs between two sets of texts. */
export const changesBetween = (keys: readonly OptionKey[], before: OptionTexts, after: OptionTexts): OptionChange[] =>
  keys.flatMap((key) => {
    const base = before[key] ?? ''
    const value = after[key] ?? base
    return canonical(value) === canonical(base) ? [] : [{ key, value, base }]
  })

/** Stores options together, all or none. Shows no error on failure, so that the caller can handle conflicts. */
export async function saveMaps(changes: readonly OptionChange[]): Promise<void> {
  if (changes.length > 0) await send(option.updateMany, { query: {}, body: { changes: [...changes] } }, { quiet: true })
}

/** JSON text with sorted members. */
const canonical = (text: string): string => JSON.stringify(sorted(parsed(text) ?? text))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)])
}
