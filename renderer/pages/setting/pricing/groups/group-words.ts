import { labelOf } from '../../../../../shared/options/index.ts'
import { printed } from '../../../../../shared/pricing.ts'
import { groupNameOf } from '../../../../components/group-name.ts'
import type { Translate } from '../../../../translation.ts'
import { defaultEntry, exclusiveEntry, type GroupEntry, groupsIn, orderEntry } from './group-entries.ts'

/** What an entry is of, as people know it. */
export function entryName(name: string, t: Translate): string {
  if (name === orderEntry) return t('groupEditor.entry.order')
  if (name === defaultEntry) return t(labelOf('DefaultUseAutoGroup'))
  const [group = '', usedGroup = ''] = groupsIn(name)
  if (name !== exclusiveEntry(group, usedGroup)) return groupNameOf(group, t)
  return t('groupEditor.entry.exclusive', { userGroup: groupNameOf(group, t), usedGroup: groupNameOf(usedGroup, t) })
}

/** An entry in words. */
export function entryWords(entry: GroupEntry | undefined, t: Translate): string {
  const { ratio, description, order, isDefault } = entry ?? {}
  const parts = [
    ...(ratio === undefined ? [] : [t('groupEditor.entry.ratio', { ratio: printed(ratio) })]),
    ...(description === undefined ? [] : [t('groupEditor.entry.selectable', { description })]),
    ...(order ?? []).map((group) => groupNameOf(group, t)),
    ...(isDefault === undefined ? [] : [t(isDefault ? 'groupEditor.entry.on' : 'groupEditor.entry.off')]),
  ]
  return parts.length === 0 ? t('groupEditor.entry.none') : parts.join(t('priceEditor.between'))
}
