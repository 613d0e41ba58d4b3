import type { ImportChoices } from '../../shared/api/import.ts'
import { decodeOption, encodeOption, isOptionKey, type OptionKey, options } from '../../shared/options/index.ts'
import type { PanelName } from '../../shared/options/panels.ts'
import { OptionRefusal } from '../../shared/options/wire.ts'
import { DEFAULT_GROUP } from '../accounts/groups.ts'
import { objectOf } from '../channels/registry/active-channel.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { hasLarge, nameOf, textOf } from './cells.ts'
import type { ImportPlan, ImportTally } from './plan.ts'
import type { Remarks } from './remarks.ts'

export type OptionReading = Readonly<{
  choices: ImportChoices
  /** The value in force, as text. */
  inForce: (key: OptionKey) => string
  /** The default, as text. */
  usual: (key: OptionKey) => string
  /** Groups that have accounts here. */
  groups: ReadonlySet<string>
  remarks: Remarks
  tally: ImportTally
  options: ImportPlan['options'][number][]
}>

/**
 * Panels whose options belong to an installation: addresses, login methods, secrets, payments. They are not imported,
 * so that no one is locked out.
 */
const isOwnPanel = (panel: PanelName | null): boolean => panel?.startsWith('system/') === true
const ownKeys: readonly OptionKey[] = ['DemoSiteEnabled', 'SelfUseModeEnabled']
const pricePanels: readonly (PanelName | null)[] = ['operation/ratios', 'operation/groups']
const priceKeys: readonly OptionKey[] = ['QuotaPerUnit']

/** Adds an option to the plan, or counts it and records why it is not imported. */
export function takeOption(row: ForeignRow, reading: OptionReading) {
  const { choices, inForce, usual, remarks, tally, options: taken } = reading
  const key = nameOf(row, 'key', 100)
  const leaveOut = (why: Parameters<Remarks['add']>[0]['key'], params = {}) => {
    tally.left_out += 1
    remarks.add({ table: 'options', row: key, outcome: 'left_out', key: why, params })
  }
  if (!isOptionKey(key)) return leaveOut('import.option_unknown')
  const { panel }: { panel: PanelName | null } = options[key]
  const isPrice = pricePanels.includes(panel) || priceKeys.includes(key)
  if (choices.options === 'none' || (choices.options === 'prices' && !isPrice)) return leaveOut('import.not_chosen')
  if (isOwnPanel(panel) || ownKeys.includes(key)) return leaveOut('import.option_own')
  if (hasLarge(row)) return leaveOut('import.large')
  const value = readAs(key, textOf(row, 'value'))
  if (value instanceof OptionRefusal) return leaveOut(value.key, value.params)
  if (value === inForce(key)) {
    tally.known += 1
    return
  }
  if (!choices.overwrite && key === 'QuotaPerUnit') return leaveOut('import.unit_kept')
  if (!choices.overwrite && inForce(key) !== usual(key)) return leaveOut('import.option_kept')
  const lost = key === 'GroupRatio' ? lostGroups(value, reading) : []
  if (lost.length > 0) return leaveOut('import.groups_kept', { names: lost.join(', ') })
  tally.comes += 1
  taken.push({ key, before: inForce(key), value })
}

/** Groups that would lose their ratio but must keep it: groups that have accounts, and the default group. */
function lostGroups(value: string, { inForce, groups }: OptionReading): string[] {
  const imported = objectOf(value) ?? {}
  const ours = Object.keys(objectOf(inForce('GroupRatio')) ?? {})
  return ours.filter((name) => (name === DEFAULT_GROUP || groups.has(name)) && !Object.hasOwn(imported, name))
}

/** Returns the value as it would be stored, or why it is invalid. */
function readAs(key: OptionKey, raw: string): string | OptionRefusal {
  try {
    return encodeOption(key, decodeOption(key, raw))
  } catch (error) {
    if (error instanceof OptionRefusal) return error
    throw error
  }
}
