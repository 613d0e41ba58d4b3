import * as z from 'zod/mini'
import { parsed } from '../../../../../shared/json.ts'
import type { OptionTexts, Writer } from '../option-texts.ts'
import type { Edits, Entries } from '../three-way.ts'

/** One stored value of the group settings; the entry's name determines which members it has. */
export type GroupEntry = Readonly<{
  /** The ratio of a group, or of one group for the accounts of another. */
  ratio?: number
  /** Shown to users choosing a group; present if it may be chosen. */
  description?: string
  /** The groups that `auto` tries, in order. */
  order?: readonly string[]
  /** New tokens use `auto`. */
  isDefault?: boolean
}>

/** Entry names. Group names contain no comma or line break. */
export const groupEntry = (group: string): string => `group:${group}`
export const exclusiveEntry = (userGroup: string, usedGroup: string): string => `exclusive:${userGroup}\n${usedGroup}`
export const orderEntry = 'order'
export const defaultEntry = 'default'

/** The group or groups in an entry's name. */
export const groupsIn = (name: string): string[] => name.slice(name.indexOf(':') + 1).split('\n')

const keys = ['GroupRatio', 'UserUsableGroups', 'GroupGroupRatio', 'AutoGroups', 'DefaultUseAutoGroup'] as const

/** Reads and writes group settings by entry (docs/reference/accounts.md#groups). */
export const groupWriter: Writer<GroupEntry> = { keys, read, write }

const numbers = z.catch(z.record(z.string(), z.number()), {})
const texts = z.catch(z.record(z.string(), z.string()), {})
const pairs = z.catch(z.record(z.string(), z.record(z.string(), z.number())), {})
const names = z.catch(z.array(z.string()), [])

function storedIn(stored: OptionTexts) {
  const value = (key: (typeof keys)[number]) => parsed(stored[key] ?? '')
  return {
    ratios: new Map(Object.entries(numbers.parse(value('GroupRatio')))),
    descriptions: new Map(Object.entries(texts.parse(value('UserUsableGroups')))),
    exclusive: new Map(
      Object.entries(pairs.parse(value('GroupGroupRatio'))).map(([group, used]) => [
        group,
        new Map(Object.entries(used)),
      ]),
    ),
    order: names.parse(value('AutoGroups')),
  }
}

function read(stored: OptionTexts): Entries<GroupEntry> {
  const { ratios, descriptions, exclusive, order } = storedIn(stored)
  const entries = new Map<string, GroupEntry>()
  for (const group of new Set([...ratios.keys(), ...descriptions.keys()])) {
    const ratio = ratios.get(group)
    const description = descriptions.get(group)
    const entry = { ...(ratio !== undefined && { ratio }), ...(description !== undefined && { description }) }
    entries.set(groupEntry(group), entry)
  }
  for (const [userGroup, used] of exclusive)
    for (const [usedGroup, ratio] of used) entries.set(exclusiveEntry(userGroup, usedGroup), { ratio })
  entries.set(orderEntry, { order })
  entries.set(defaultEntry, { isDefault: stored.DefaultUseAutoGroup === 'true' })
  return entries
}

function write(stored: OptionTexts, edits: Edits<GroupEntry>): OptionTexts {
  const { ratios, descriptions, exclusive, order } = storedIn(stored)
  for (const [name, { mine }] of edits) {
    const [group = '', usedGroup = ''] = groupsIn(name)
    if (name === groupEntry(group)) {
      put(ratios, group, mine?.ratio)
      put(descriptions, group, mine?.description)
    }
    if (name !== exclusiveEntry(group, usedGroup)) continue
    const used = exclusive.get(group) ?? new Map<string, number>()
    put(used, usedGroup, mine?.ratio)
    put(exclusive, group, used.size > 0 ? used : undefined)
  }
  const isDefault = edits.get(defaultEntry)?.mine?.isDefault
  const nested = Array.from(exclusive, ([group, used]) => [group, Object.fromEntries(used)])
  return {
    GroupRatio: JSON.stringify(Object.fromEntries(ratios)),
    UserUsableGroups: JSON.stringify(Object.fromEntries(descriptions)),
    GroupGroupRatio: JSON.stringify(Object.fromEntries(nested)),
    AutoGroups: JSON.stringify(edits.get(orderEntry)?.mine?.order ?? order),
    DefaultUseAutoGroup: isDefault === undefined ? (stored.DefaultUseAutoGroup ?? 'false') : String(isDefault),
  }
}

function put<V>(map: Map<string, V>, name: string, value: V | undefined): void {
  if (value === undefined) map.delete(name)
  else map.set(name, value)
}
