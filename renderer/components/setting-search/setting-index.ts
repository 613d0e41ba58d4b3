import { hintOf } from '../../../shared/options/hints.ts'
import { labelOf, type OptionKey, optionKeys, options } from '../../../shared/options/index.ts'
import { type PanelName, type TabName, tabs } from '../../../shared/options/panels.ts'

type SettingLocation = Readonly<{ key: OptionKey; panel: PanelName; tab: TabName }>

/** A setting's search terms in lower case, in all indexed languages. */
export type SettingEntry = SettingLocation & Readonly<{ names: readonly string[]; panelNames: string; hints: string }>

type SettingTexts = Readonly<Record<string, string>>

/**
 * The search index of all settings that have a field, in the order of declaration; `languages` has the texts of each
 * language.
 */
export function settingIndex(languages: readonly SettingTexts[]): readonly SettingEntry[] {
  const textsOf = (message: string | undefined) =>
    languages.flatMap((texts) => (message === undefined ? [] : [(texts[message] ?? '').toLowerCase()]))
  return optionKeys.flatMap((key): SettingEntry[] => {
    const location = settingLocation(key)
    if (!location) return []
    const names = [...textsOf(labelOf(key)), key.toLowerCase()]
    return [
      {
        ...location,
        names,
        panelNames: textsOf(`panel.${location.panel}`).join(' '),
        hints: textsOf(hintOf(key)).join(' '),
      },
    ]
  })
}

/** The location of a setting; undefined if it has no field. */
export function settingLocation(key: OptionKey): SettingLocation | undefined {
  const { panel } = options[key]
  const tab = tabs.find((name) => panel?.startsWith(`${name}/`))
  return panel && tab ? { key, panel, tab } : undefined
}

/**
 * The settings that match all words of the query: first exact names and prefixes, then names, panels and
 * explanations.
 */
export function findSettings(index: readonly SettingEntry[], query: string): readonly SettingEntry[] {
  const wanted = query.trim().toLowerCase()
  const words = wanted.split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const ranked = index.map((entry) => ({ entry, rank: rankOf(entry, wanted, words) }))
  return ranked
    .filter(({ rank }) => rank < notFound)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ entry }) => entry)
}

const notFound = 5

function rankOf({ names, panelNames, hints }: SettingEntry, wanted: string, words: readonly string[]): number {
  if (names.includes(wanted)) return 0
  if (names.some((name) => name.startsWith(wanted))) return 1
  const isIn = (text: string) => words.every((word) => text.includes(word))
  if (names.some(isIn)) return 2
  const searched = `${names.join(' ')} ${panelNames}`
  if (isIn(searched)) return 3
  return isIn(`${searched} ${hints}`) ? 4 : notFound
}

export const settingAddress = ({ tab, key }: SettingLocation): string => `/setting?${new URLSearchParams({ tab, key })}`
