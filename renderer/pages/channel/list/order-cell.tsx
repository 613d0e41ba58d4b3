import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { showSuccess } from '../../../components/toasts.tsx'
import { NumberCell } from './number-cell.tsx'
import { isTag, numberOf, type Row, type TagRow } from './row.ts'

/** What decides the order channels are tried in. */
type OrderField = 'priority' | 'weight'

/**
 * Priority or weight, changed in its row; for a tag it asks before all its channels follow
 * (docs/reference/screens.md#channels).
 */
export function OrderCell({ row, field }: { row: Row; field: OrderField }) {
  const { t } = useTranslation()
  const [asked, ask] = useState<number>()
  const { mutate } = useSend(calls.update)
  const done = () => showSuccess(t('update.ok'))
  if (isTag(row) && row.tag === null) return '–'
  const name = isTag(row) ? t('channel.tagName', { tag: row.tag ?? '' }) : row.name
  const label = `${t(`label.${field}`)}: ${name}`
  const save = (value: number) =>
    isTag(row) ? ask(value) : mutate({ body: { id: row.id, [field]: value } }, { onSuccess: done })
  return (
    <>
      <NumberCell label={label} value={numberOf(row, field)} min={least[field]} onSave={save} />
      {isTag(row) && <TagConfirmation row={row} field={field} value={asked} onClose={() => ask(undefined)} />}
    </>
  )
}

/** The smallest values that may be typed (docs/reference/screens.md#channels). */
const least = { priority: -999, weight: 0 } as const

type TagConfirmationProps = Readonly<{ row: TagRow; field: OrderField; value: number | undefined; onClose: () => void }>

/** One number for all channels of a tag overwrites what each of them had. */
function TagConfirmation({ row, field, value, onClose }: TagConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.updateTag)
  const tag = row.tag ?? ''
  const confirm = () =>
    mutate({ body: { tag, [field]: value } }, { onSuccess: () => showSuccess(t('update.ok')), onSettled: onClose })
  return (
    <Confirm
      isOpen={value !== undefined}
      question={t('channel.orderAsk', { field: t(`label.${field}`), value: value ?? '', tag })}
      verb={t('label.confirm')}
      isHarmless
      isBusy={isPending}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {t('channel.orderHint', { n: row.channels.length })}
    </Confirm>
  )
}
