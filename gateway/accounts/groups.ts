import type { OptionValue } from '../../shared/options/index.ts'

export interface GroupSettings {
  get<K extends 'UserUsableGroups' | 'GroupRatio' | 'GroupGroupRatio'>(key: K): OptionValue<K>
}

/**
 * A group a user may choose; `ratio` is `auto` for the automatic choice, whose ratio depends on the group it selects
 * (docs/reference/accounts.md#groups).
 */
type GroupChoice = Readonly<{ desc: string; ratio: number | 'auto' }>

/** The name for "the first group of AutoGroups that offers the model". */
export const AUTO_GROUP = 'auto'
/** The group of visitors and of accounts without a group. */
export const DEFAULT_GROUP = 'default'

/**
 * The groups a user of `userGroup` may use, with their descriptions: UserUsableGroups and, if not among them, the
 * user's group (`default` if it is empty), described as `ownDescription`; `auto` only if UserUsableGroups has it
 * (docs/reference/accounts.md#groups). A group in the result may be missing from GroupRatio; check it with
 * `isKnownGroup`.
 */
export function usableGroups(
  userGroup: string,
  settings: GroupSettings,
  ownDescription = '',
): ReadonlyMap<string, string> {
  const groups = new Map(Object.entries(settings.get('UserUsableGroups')))
  const own = userGroup || DEFAULT_GROUP
  if (!groups.has(own)) groups.set(own, ownDescription)
  return groups
}

/** Whether `usableGroups` would contain `group`, without building the list. */
export const mayUseGroup = (userGroup: string, group: string, settings: GroupSettings): boolean =>
  group === (userGroup || DEFAULT_GROUP) || Object.hasOwn(settings.get('UserUsableGroups'), group)

/**
 * Whether `group` still exists: it is a key of GroupRatio, or `auto` (docs/reference/accounts.md#groups,
 * docs/reference/errors.md#refusals).
 */
export const isKnownGroup = (group: string, settings: GroupSettings): boolean =>
  group === AUTO_GROUP || Object.hasOwn(settings.get('GroupRatio'), group)

/**
 * The groups of AutoGroups that exist and that a user of `userGroup` may use, in their order
 * (docs/reference/selection.md#groups).
 */
export const automaticGroups = (
  userGroup: string,
  settings: GroupSettings & { get(key: 'AutoGroups'): OptionValue<'AutoGroups'> },
): string[] =>
  settings.get('AutoGroups').filter((group) => mayUseGroup(userGroup, group, settings) && isKnownGroup(group, settings))

/**
 * The ratio a user of `userGroup` pays in `usingGroup`: GroupGroupRatio of the pair if set, else GroupRatio, else 1
 * (docs/reference/accounts.md#groups).
 */
export function groupRatio(userGroup: string, usingGroup: string, settings: GroupSettings): number {
  const special = ownValue(ownValue(settings.get('GroupGroupRatio'), userGroup), usingGroup)
  return special ?? ownValue(settings.get('GroupRatio'), usingGroup) ?? 1
}

/**
 * The choices offered to a user: usable groups that exist in GroupRatio, with the ratio that the user pays, and `auto`
 * if it is usable (docs/reference/accounts.md#groups). `ownDescription` describes the user's group if no option does.
 */
export function groupChoices(
  userGroup: string,
  settings: GroupSettings,
  ownDescription: string,
): Record<string, GroupChoice> {
  const choices: [string, GroupChoice][] = []
  for (const [group, desc] of usableGroups(userGroup, settings, ownDescription)) {
    if (!isKnownGroup(group, settings)) continue
    const ratio = group === AUTO_GROUP ? AUTO_GROUP : groupRatio(userGroup, group, settings)
    choices.push([group, { desc, ratio }])
  }
  return Object.fromEntries(choices)
}

/** Reads own keys only: a group may be called `constructor`. */
function ownValue<T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return map && Object.hasOwn(map, key) ? map[key] : undefined
}
