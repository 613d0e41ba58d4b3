import { useState } from 'react'
import { Confirm } from '../../../../components/confirm/confirm.tsx'
import { useGroupName } from '../../../../components/group-name.ts'
import { useTranslation } from '../../../../translation.ts'
import { ConflictDialog } from '../conflict-dialog.tsx'
import type { Edits } from '../three-way.ts'
import { useSaving } from '../use-saving.ts'
import { type GroupEntry, groupEntry, groupsIn, groupWriter } from './group-entries.ts'
import { entryName, entryWords } from './group-words.ts'

type UsageOf = (group: string) => string | undefined

/** Saves edits of groups; before one that is in use loses its ratio it says what uses it, and asks. */
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
        describe={(_, entry) => entryWords(entry, t)}
        onSaved={onSaved}
      />
    </>
  )
  return { save, isBusy: saving.isBusy, dialogs }
}

/** The groups in use that lose their ratio. */
const removedIn = (edits: Edits<GroupEntry>, usageOf: UsageOf): string[] =>
  [...edits].flatMap(([name, { base, mine }]) => {
    const [group = ''] = groupsIn(name)
    const isLost = name === groupEntry(group) && base?.ratio !== undefined && mine?.ratio === undefined
    return isLost && (usageOf(group) ?? '') !== '' ? [group] : []
  })
