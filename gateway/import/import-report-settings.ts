import { options } from '../../shared/options/index.ts'
import { isObject, parsed } from '../base/json/json.ts'
import type { OptionWrite } from '../store/options.ts'

export type ReportedSetting = Readonly<{ key: string; before: string; after: string; is_part: boolean }>

const MAX = 500

/**
 * Reports each setting that would change, before and after: only the entries of maps that differ, only the beginning of
 * long values, and no secrets.
 */
export const reportedSettings = (writes: readonly OptionWrite[]): ReportedSetting[] =>
  writes.flatMap(({ key, before, value }) => {
    const { secret }: { secret?: true } = options[key]
    if (secret) return []
    const [from, to] = differing(before, value)
    const isPart = from !== before || to !== value || from.length > MAX || to.length > MAX
    return [{ key, before: shortened(from), after: shortened(to), is_part: isPart }]
  })

function differing(before: string, after: string): [string, string] {
  const [from, to] = [parsed(before), parsed(after)]
  if (!isObject(from) || !isObject(to)) return [before, after]
  const changed = new Set(
    [...Object.keys(from), ...Object.keys(to)].filter((name) => textAt(from, name) !== textAt(to, name)),
  )
  const only = (map: object) =>
    JSON.stringify(Object.fromEntries(Object.entries(map).filter(([name]) => changed.has(name))))
  return [only(from), only(to)]
}

const textAt = (map: Readonly<Record<string, unknown>>, name: string): string | undefined =>
  Object.hasOwn(map, name) ? JSON.stringify(map[name]) : undefined

/** Avoids splitting a surrogate pair. */
const shortened = (text: string): string => (text.length > MAX ? `${text.slice(0, MAX - 1).toWellFormed()}…` : text)
