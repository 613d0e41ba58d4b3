import { Button, Dialog, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useState } from 'react'
import { channelMany } from '../../../../shared/api/channel-many.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { Form } from '../../../components/form/form.tsx'
import type { IdSelection } from '../../../components/page-table/use-selection.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { ChosenNames } from './chosen-names.tsx'
import type { Row } from './row.ts'

type ChangeProps = Readonly<{ rows: readonly Row[]; selection: IdSelection; onClose: () => void }>

/** Changes all selected channels and reports how many changed; the selection stays. */
export function useChangeMany({ ids }: IdSelection) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(channelMany.change)
  const change = (fields: Readonly<{ status?: 1 | 2; priority?: number; weight?: number }>, onSettled?: () => void) => {
    const onSuccess = (n: number) => showSuccess(t('channel.changedMany', { n }))
    mutate({ body: { ids: [...ids], ...fields } }, { onSuccess, ...(onSettled ? { onSettled } : {}) })
  }
  return { change, isPending }
}

/** Disabled channels get no requests, so the confirmation names them. */
export function DisableConfirmation({ rows, selection, onClose }: ChangeProps) {
  const { t } = useTranslation()
  const { change, isPending } = useChangeMany(selection)
  return (
    <Confirm
      isOpen
      question={t('channel.disableManyAsk', { n: selection.ids.length })}
      verb={t('label.disable')}
      isBusy={isPending}
      onConfirm={() => change({ status: channelStatus.disabled }, onClose)}
      onCancel={onClose}
    >
      <ChosenNames rows={rows} ids={selection.ids} />
      {t('channel.disableManyHint')}
    </Confirm>
  )
}

export function OrderDialog({
  field,
  selection,
  onClose,
}: Omit<ChangeProps, 'rows'> & Readonly<{ field: OrderField }>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { change, isPending } = useChangeMany(selection)
  const isRight = isNumber(field, typed)
  const submit = () => {
    setChecked(true)
    if (isRight) change({ [field]: Number(typed) }, onClose)
  }
  const title = t(`channel.set.${field}`)
  return (
    <Dialog className="fits-window" title={title} isCloseButtonShown={false} isOpen onClose={onClose}>
      <Form isBusy={isPending} isDirty={typed !== ''} onSubmit={submit}>
        <DialogBody>
          <p>{t('channel.setOrderHint', { n: selection.ids.length })}</p>
          <TextField
            label={t(`label.${field}`)}
            name={field}
            inputMode="numeric"
            autoFocus
            autoComplete="off"
            value={typed}
            onValue={setTyped}
            error={isChecked && !isRight ? t('option.bad_number') : undefined}
            hint={t(`channel.${field}Hint`)}
          />
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('label.save')} loading={isPending} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

export type OrderField = 'priority' | 'weight'

/** As in the row: a priority from −999, a weight from 0 (docs/reference/screens.md#channels). */
const min = { priority: -999, weight: 0 } as const

function isNumber(field: OrderField, text: string): boolean {
  const number = Number(text)
  return text.trim() !== '' && Number.isInteger(number) && number >= min[field] && number <= 1_000_000_000
}
