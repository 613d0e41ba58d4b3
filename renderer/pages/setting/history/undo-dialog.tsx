import { Callout } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OptionConflict } from '../../../../shared/api/option.ts'
import { type OptionChangeView, optionHistory } from '../../../../shared/api/option-history.ts'
import { CallFailure } from '../../../api/call-failure.ts'
import { conflictsIn } from '../../../api/option-conflicts.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { showFailure, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { useStampText } from './stamp-text.ts'
import { useWholeChange } from './use-history.ts'
import { useOptionName } from './use-option-name.ts'
import { ValueChange } from './value-change.tsx'

type UndoDialogProps = Readonly<{ change: OptionChangeView; onEnd: () => void }>

/**
 * Asks before restoring the value from before a change; asks again, showing what would be lost, if the setting was
 * changed since. Mount it to open it.
 */
export function UndoDialog({ change, onEnd }: UndoDialogProps) {
  const { t } = useTranslation()
  const nameOf = useOptionName()
  const queries = useQueryClient()
  const { data: full } = useWholeChange(change)
  const [conflict, setConflict] = useState<OptionConflict>()
  const { mutate, isPending } = useSend(optionHistory.undo, { quiet: true })
  const name = nameOf(change.key)
  const succeed = () => {
    showSuccess(t('history.undone', { name }))
    // Settings affect other pages and the layout.
    void queries.invalidateQueries()
    onEnd()
  }
  const fail = (error: Error) => {
    const [found] = conflictsIn(error)
    if (found) return setConflict(found)
    if (error instanceof CallFailure && error.status !== 401) showFailure(error)
    onEnd()
  }
  const undo = () =>
    mutate(
      { query: {}, body: { id: change.id, even_if_changed: conflict !== undefined } },
      { onSuccess: succeed, onError: fail },
    )
  const now = conflict?.value ?? full?.after ?? ''
  return (
    <Confirm
      isOpen
      question={t('history.undoAsk', { name })}
      verb={t(conflict ? 'history.undoAnyway' : 'history.undo')}
      isHarmless={conflict === undefined}
      isBusy={isPending}
      onConfirm={undo}
      onCancel={onEnd}
    >
      {conflict && <ChangedAgain conflict={conflict} />}
      <ValueChange
        option={change.key}
        before={now}
        after={full?.before ?? ''}
        heads={[t('history.now'), t('history.then')]}
      />
    </Confirm>
  )
}

function ChangedAgain({ conflict }: { conflict: OptionConflict }) {
  const { t } = useTranslation()
  const stamp = useStampText()
  return (
    <Callout compact intent="warning" className="history-note" role="alert">
      {t('history.changedSince', { stamp: stamp(conflict) })}
    </Callout>
  )
}
