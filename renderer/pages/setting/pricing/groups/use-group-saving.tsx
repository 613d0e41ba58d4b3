import { useState } from 'react'
import { labelOf } from '../../../../../shared/options/index.ts'
import { printed } from '../../../../../shared/pricing.ts'
import { Confirm } from '../../../../components/confirm/confirm.tsx'
import { groupNameOf, useGroupName } from '../../../../components/group-name.ts'
import { type Translate, useTranslation } from '../../../../translation.ts'
import { ConflictDialog } from '../conflict-dialog.tsx'
import type { Edits } from '../three-way.ts'
import { useSaving } from '../use-saving.ts'
import {
  defaultEntry,
  exclusiveEntry,
  type GroupEntry,
  groupEntry,
  groupsIn,
  groupWriter,
  orderEntry,
} from './group-entries.ts'

type UsageOf = (group: string) => string | undefined

/** Saves edits of groups; asks before a group in use loses its ratio. */
export function useGroupSaving(usageOf: UsageOf, onSaved: () => void) {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const saving = useSaving(groupWriter)
  const [waiting, setWaiting] = useState<Edits<GroupEntry>>()
  const send = async (edits: Edits<GroupEntry>) => {
    const isSaved = await saving.save(edits)
    setWaiting(undefined)
    if (isSaved) onSaved()
  }
  const save = (edits: Edits<GroupEntry>) => {
    if (removedIn(edits, usageOf).length > 0) setWaiting(edits)
    else void send(edits)
  }
  const removed = waiting ? removedIn(waiting, usageOf) : []
  const dialogs = (
    <>
      <Confirm
        isOpen={waiting !== undefined}
        question={t('groupEditor.removedAsk')}
        verb={t('groupEditor.removedVerb')}
        isBusy={saving.isBusy}
        onConfirm={() => waiting && void send(waiting)}
        onCancel={() => setWaiting(undefined)}
      >
        <ul>
          {removed.map((group) => (
            <li key={group}>{t('groupEditor.removedOf', { group: nameOf(group), usage: usageOf(group) ?? '' })}</li>
          ))}
        </ul>
        {t('groupEditor.removedHint')}
      </Confirm>
      <ConflictDialog
        saving={saving}
        nameOf={(name) => entryName(name, t)}
        describe={(_, entry) => entryText(entry, t)}
        onSaved={onSaved}
      />
    </>
  )
  return { save, isBusy: saving.isBusy, dialogs }
}

const removedIn = (edits: Edits<GroupEntry>, usageOf: UsageOf): string[] =>
  [...edits].flatMap(([name, { base, mine }]) => {
    const [group = ''] = groupsIn(name)
    const isLost = name === groupEntry(group) && base?.ratio !== undefined && mine?.ratio === undefined
    return isLost && (usageOf(group) ?? '') !== '' ? [group] : []
  })

function entryName(name: string, t: Translate): string {
  if (name === orderEntry) return t('groupEditor.entry.order')
  if (name === defaultEntry) return t(labelOf('DefaultUseAutoGroup'))
  const [group = '', usedGroup = ''] = groupsIn(name)
  if (name !== exclusiveEntry(group, usedGroup)) return groupNameOf(group, t)
  return t('groupEditor.entry.exclusive', { userGroup: groupNameOf(group, t), usedGroup: groupNameOf(usedGroup, t) })
}

function entryText(entry: GroupEntry | undefined, t: Translate): string {
  const { ratio, description, order, isDefault } = entry ?? {}
  const parts = [
    ...(ratio === undefined ? [] : [t('groupEditor.entry.ratio', { ratio: printed(ratio) })]),
    ...(description === undefined ? [] : [t('groupEditor.entry.selectable', { description })]),
    ...(order ?? []).map((group) => groupNameOf(group, t)),
    ...(isDefault === undefined ? [] : [t(isDefault ? 'groupEditor.entry.on' : 'groupEditor.entry.off')]),
  ]
  return parts.length === 0 ? t('groupEditor.entry.none') : parts.join(t('priceEditor.between'))
}
