import { useState } from 'react'
import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { showSuccess, showUndoable } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'
import { NumberCell } from './number-cell.tsx'
import { isTag, numberOf, type Row, type TagRow } from './row.ts'

type OrderField = 'priority' | 'weight'

/**
 * Priority or weight, edited in its row; for a tag it asks before changing all channels
 * (docs/reference/screens.md#channels).
 */
export function OrderCell({ row, field }: { row: Row; field: OrderField }) {
  const { t } = useTranslation()
  const [pending, setPending] = useState<PendingNumber>()
  const { mutate } = useSend(calls.update)
  if (isTag(row) && row.tag === null) return '—'
  const name = isTag(row) ? t('channel.tagName', { tag: row.tag ?? '' }) : row.name
  const label = `${t(`label.${field}`)}: ${name}`
  const change = (channel: ChannelView, value: number, onError?: () => void) => {
    const undo = () => change({ ...channel, [field]: value }, channel[field])
    const onSuccess = () => showUndoable(t('channel.orderChanged', { label, value }), undo)
    mutate({ body: { id: channel.id, [field]: value } }, { onSuccess, ...(onError && { onError }) })
  }
  const save = (value: number, takeBack: () => void) =>
    isTag(row) ? setPending({ value, takeBack }) : change(row, value, takeBack)
  return (
    <>
      <NumberCell label={label} value={numberOf(row, field)} min={min[field]} onSave={save} />
      {isTag(row) && (
        <TagConfirmation row={row} field={field} pending={pending} onClose={() => setPending(undefined)} />
      )}
    </>
  )
}

/** The minimum values (docs/reference/screens.md#channels). */
const min = { priority: -999, weight: 0 } as const

/** A number to confirm, and a function that restores the previous one. */
type PendingNumber = Readonly<{ value: number; takeBack: () => void }>

type TagConfirmationProps = Readonly<{
  row: TagRow
  field: OrderField
  pending: PendingNumber | undefined
  onClose: () => void
}>

/** Asks first, because one number for all channels of a tag overwrites the number of each. */
function TagConfirmation({ row, field, pending, onClose }: TagConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.updateTag)
  const tag = row.tag ?? ''
  const value = pending?.value
  const onSuccess = () => showSuccess(t('update.ok'))
  const confirm = () =>
    mutate({ body: { tag, [field]: value } }, { onSuccess, onError: pending?.takeBack, onSettled: onClose })
  const cancel = () => {
    pending?.takeBack()
    onClose()
  }
  return (
    <Confirm
      isOpen={value !== undefined}
      question={t('channel.orderAsk', { field: t(`label.${field}`), value: value ?? '', tag })}
      verb={t('label.confirm')}
      isHarmless
      isBusy={isPending}
      onConfirm={confirm}
      onCancel={cancel}
    >
      {t('channel.orderHint', { n: row.channels.length })}
    </Confirm>
  )
}
