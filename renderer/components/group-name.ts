import type { TextKey } from '../i18n.ts'
import { type Translate, useTranslation } from '../translation.ts'

/** The groups that come with the gateway; all others are the operator's own words and stay as they are. */
const shipped: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['', 'label.userGroup'],
  ['default', 'group.default'],
  ['vip', 'group.vip'],
  ['svip', 'group.svip'],
  ['auto', 'group.auto'],
])

/** What the gateway describes its own groups with until an operator says more (UserUsableGroups). */
const shippedDescriptions: ReadonlySet<string> = new Set(['', 'default group', 'vip group'])

/** A group as it is shown; what is sent and typed stays its own name (docs/reference/screens.md#formats-and-colours). */
export function groupNameOf(group: string, t: Translate): string {
  const key = shipped.get(group)
  return key ? t(key) : group
}

/** Tells a group's shown name. */
export function useGroupName(): (group: string) => string {
  const { t } = useTranslation()
  return (group) => groupNameOf(group, t)
}

/** A group's shown name with what its operator says of it, where that says more. */
export function useGroupLabel(): (group: string, description: string) => string {
  const nameOf = useGroupName()
  return (group, description) => {
    const saysMore = !shippedDescriptions.has(description) && description !== group
    return saysMore ? `${nameOf(group)} · ${description}` : nameOf(group)
  }
}
