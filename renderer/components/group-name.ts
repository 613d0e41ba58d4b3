import type { TextKey } from '../i18n.ts'
import { type Translate, useTranslation } from '../translation.ts'

/** Built-in groups; all others are named by the operator and shown as is. */
const shipped: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['', 'label.userGroup'],
  ['default', 'group.default'],
  ['vip', 'group.vip'],
  ['svip', 'group.svip'],
  ['auto', 'group.auto'],
])

/** The gateway's default descriptions of its own groups (UserUsableGroups). */
const shippedDescriptions: ReadonlySet<string> = new Set(['', 'default group', 'vip group'])

/**
 * A group's display name; requests and inputs use the group's own name
 * (docs/reference/screens.md#formats-and-colors).
 */
export function groupNameOf(group: string, t: Translate): string {
  const key = shipped.get(group)
  return key ? t(key) : group
}

export function useGroupName(): (group: string) => string {
  const { t } = useTranslation()
  return (group) => groupNameOf(group, t)
}

/** A group's display name, with the operator's description if it adds anything. */
export function useGroupLabel(): (group: string, description: string) => string {
  const nameOf = useGroupName()
  return (group, description) => {
    const addsDescription = !shippedDescriptions.has(description) && description !== group
    return addsDescription ? `${nameOf(group)} · ${description}` : nameOf(group)
  }
}
