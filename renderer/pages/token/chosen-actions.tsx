import { Button } from '@blueprintjs/core'
import { Disable, Duplicate, Trash } from '@blueprintjs/icons'
import { useState } from 'react'
import { token as calls, type TokenView } from '../../../shared/api/token.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { showSuccess, showWarning } from '../../components/toasts.ts'
import { keyOf } from '../../components/token-key.ts'
import { useTranslation } from '../../translation.ts'

type ChosenProps = Readonly<{ rows: readonly TokenView[]; onDone: () => void }>

/** Actions on the selected tokens (docs/reference/screens.md#tokens); those that disable keys ask first. */
export function ChosenActions({ rows, onDone }: ChosenProps) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const [opened, setOpened] = useState<'disable' | 'delete'>()
  const n = rows.length
  const lines = () => rows.map((row) => `${row.name}    ${keyOf(row)}`).join('\n')
  const act = () => (n === 0 ? showWarning(t('token.select')) : copy(lines(), t('token.copiedSelected', { n })))
  return (
    <>
      <Button icon={<Duplicate />} text={t('token.copySelected', { n })} onClick={act} />
      {n > 0 && (
        <>
          <Button icon={<Disable />} text={t('label.disable')} onClick={() => setOpened('disable')} />
          <Button
            intent="danger"
            variant="outlined"
            icon={<Trash />}
            text={t('label.delete')}
            onClick={() => setOpened('delete')}
          />
        </>
      )}
      {dialog}
      {opened && <Question opened={opened} rows={rows} onDone={onDone} onClose={() => setOpened(undefined)} />}
    </>
  )
}

type QuestionProps = ChosenProps & Readonly<{ opened: 'disable' | 'delete'; onClose: () => void }>

function Question({ opened, rows, onDone, onClose }: QuestionProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(opened === 'delete' ? calls.removeMany : calls.disableMany)
  const confirm = () => {
    const onSuccess = (n: number) => {
      onDone()
      showSuccess(t(`token.${opened}dMany`, { n }))
    }
    mutate({ body: { ids: rows.map(({ id }) => id) } }, { onSuccess, onSettled: onClose })
  }
  return (
    <Confirm
      isOpen
      question={t(`token.${opened}ManyAsk`, { n: rows.length })}
      verb={t(`label.${opened}`)}
      isBusy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      <p className="token-chosen-names">{rows.map(({ name }) => name).join(', ')}</p>
      {t(`token.${opened}ManyHint`)}
    </Confirm>
  )
}
