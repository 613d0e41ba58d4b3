import { printed, typedNumber } from '../../../../../shared/pricing.ts'
import type { TextKey } from '../../../../i18n.ts'
import { numberOf } from '../price-draft.ts'
import type { Entries } from '../three-way.ts'
import { defaultEntry, exclusiveEntry, type GroupEntry, groupEntry, groupsIn, orderEntry } from './group-entries.ts'

/** A group as typed: its ratio, empty for none, and the description for users; undefined if they cannot choose it. */
export type GroupRow = Readonly<{ name: string; ratio: string; description: string | undefined }>

/** The ratio that accounts of one group pay in another; both groups are empty until chosen. */
export type ExclusiveRow = Readonly<{ id: number; userGroup: string; usedGroup: string; ratio: string }>

export type GroupDraft = Readonly<{
  rows: readonly GroupRow[]
  exclusive: readonly ExclusiveRow[]
  order: readonly string[]
  isDefault: boolean
}>

/** The pseudo group for automatic selection; it has no ratio. */
export const AUTO = 'auto'

/** Permanent groups: the default group and automatic selection. */
export const lasting: readonly string[] = ['default', AUTO]

/** The stored groups for editing, sorted by name; `auto` is last and always present. */
export function draftOf(entries: Entries<GroupEntry>): GroupDraft {
  const groups = [...entries].filter(([name]) => name === groupEntry(groupsIn(name)[0] ?? ''))
  const rows = groups.map(([name, { ratio, description }]) => rowOf(groupsIn(name)[0] ?? '', ratio, description))
  const pairs = [...entries].filter(([name]) => name.startsWith(exclusiveEntry('', '').trimEnd()))
  return {
    rows: sorted(rows.some(({ name }) => name === AUTO) ? rows : [...rows, rowOf(AUTO)]),
    exclusive: pairs.map(([name, { ratio = 1 }], id) => {
      const [userGroup = '', usedGroup = ''] = groupsIn(name)
      return { id, userGroup, usedGroup, ratio: printed(ratio) }
    }),
    order: entries.get(orderEntry)?.order ?? [],
    isDefault: entries.get(defaultEntry)?.isDefault ?? false,
  }
}

/** Converts a valid draft to entries; an unchanged ratio keeps all its digits. */
export function entriesOf(draft: GroupDraft, base: Entries<GroupEntry>): Entries<GroupEntry> {
  const entries = new Map<string, GroupEntry>()
  for (const { name, ratio, description } of draft.rows) {
    const number = numberOf(ratio, base.get(groupEntry(name))?.ratio)
    const entry = { ...(number !== undefined && { ratio: number }), ...(description !== undefined && { description }) }
    if (Object.keys(entry).length > 0) entries.set(groupEntry(name), entry)
  }
  for (const { userGroup, usedGroup, ratio } of draft.exclusive.filter((row) => !isEmpty(row))) {
    const name = exclusiveEntry(userGroup, usedGroup)
    entries.set(name, { ratio: numberOf(ratio, base.get(name)?.ratio) ?? 1 })
  }
  entries.set(orderEntry, { order: draft.order })
  entries.set(defaultEntry, { isDefault: draft.isDefault })
  return entries
}

export const withGroup = (draft: GroupDraft, name: string): GroupDraft => ({
  ...draft,
  rows: sorted([...draft.rows, rowOf(name, 1)]),
})

/** Adds groups that are in use but not stored, so that they can be given a ratio. */
export function withUsed(draft: GroupDraft, used: readonly string[]): GroupDraft {
  const names = new Set(draft.rows.map(({ name }) => name))
  const missing = used.filter((name) => !names.has(name))
  return missing.length === 0
    ? draft
    : { ...draft, rows: sorted([...draft.rows, ...missing.map((name) => rowOf(name))]) }
}

export const withoutGroup = (draft: GroupDraft, name: string): GroupDraft => ({
  ...draft,
  rows: draft.rows.filter((row) => row.name !== name),
  exclusive: draft.exclusive.filter(({ userGroup, usedGroup }) => userGroup !== name && usedGroup !== name),
  order: draft.order.filter((group) => group !== name),
})

/** Moves a group within the order; a negative index removes it. */
export function movedTo(order: readonly string[], name: string, index: number): readonly string[] {
  const others = order.filter((group) => group !== name)
  return index < 0 ? others : others.toSpliced(index, 0, name)
}

export const ratioProblem = (text: string): TextKey | undefined =>
  text.trim() !== '' && typedNumber(text) === undefined ? 'option.bad_number' : undefined

export function nameProblem(name: string, { rows }: GroupDraft): TextKey | undefined {
  if (name.trim() === '') return 'option.required'
  if (/[,\n]/.test(name)) return 'groupEditor.comma'
  return rows.some((row) => row.name === name.trim()) ? 'groupEditor.twice' : undefined
}

/** What is wrong with a ratio override; empty rows are valid and not saved. */
export function exclusiveProblem(row: ExclusiveRow, { exclusive }: GroupDraft): TextKey | undefined {
  const { id, userGroup, usedGroup, ratio } = row
  if (isEmpty(row)) return undefined
  if (userGroup === '' || usedGroup === '') return 'groupEditor.chooseBoth'
  if (typedNumber(ratio) === undefined) return 'option.bad_number'
  const first = exclusive.find((one) => one.userGroup === userGroup && one.usedGroup === usedGroup)
  return first?.id === id ? undefined : 'groupEditor.pairTwice'
}

const isEmpty = ({ userGroup, usedGroup, ratio }: ExclusiveRow): boolean =>
  userGroup === '' && usedGroup === '' && ratio.trim() === ''

export const isRight = (draft: GroupDraft): boolean =>
  draft.rows.every(({ ratio }) => !ratioProblem(ratio)) && draft.exclusive.every((row) => !exclusiveProblem(row, draft))

const rowOf = (name: string, ratio?: number, description?: string): GroupRow => ({
  name,
  ratio: ratio === undefined ? '' : printed(ratio),
  description,
})

/** By name, `auto` last. */
const sorted = (rows: readonly GroupRow[]): readonly GroupRow[] =>
  rows.toSorted((one, other) => {
    if (one.name === AUTO || other.name === AUTO) return one.name === AUTO ? 1 : -1
    return one.name < other.name ? -1 : 1
  })
