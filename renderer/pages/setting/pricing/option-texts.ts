import { option } from '../../../../shared/api/option.ts'
import { isObject, parsed } from '../../../../shared/json.ts'
import type { OptionKey } from '../../../../shared/options/index.ts'
import { send } from '../../../api/client.ts'
import type { Edits, Entries } from './three-way.ts'

/** Options as they are stored, by key. */
export type OptionTexts = Readonly<Record<string, string>>

/** How several options are read as one set of entries, and written with some of these changed. */
export type Writer<T> = Readonly<{
  keys: readonly OptionKey[]
  read(texts: OptionTexts): Entries<T>
  write(texts: OptionTexts, edits: Edits<T>): OptionTexts
}>

/** One option to be stored, and what it was when it was read. */
export type OptionChange = Readonly<{ key: OptionKey; value: string; base: string }>

/** Options by key, from the list that the gateway answers. */
export const textsIn = (list: readonly Readonly<{ key: string; value: string }>[]): OptionTexts =>
  Object.fromEntries(list.map(({ key, value }) => [key, value]))

/** The options whose meaning changes between two sets of texts. */
export const changesBetween = (keys: readonly OptionKey[], before: OptionTexts, after: OptionTexts): OptionChange[] =>
  keys.flatMap((key) => {
    const base = before[key] ?? ''
    const value = after[key] ?? base
    return canonical(value) === canonical(base) ? [] : [{ key, value, base }]
  })

/** Stores options together, all or none; without a word where that fails, so that another value meanwhile can be asked about. */
export async function saveMaps(changes: readonly OptionChange[]): Promise<void> {
  if (changes.length > 0) await send(option.updateMany, { query: {}, body: { changes: [...changes] } }, { quiet: true })
}

/** A text of JSON in one form, whatever the order of its members. */
const canonical = (text: string): string => JSON.stringify(sorted(parsed(text) ?? text))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)])
}
