import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

type DeleteConfirmationProps = Readonly<{ channel: ChannelView; onClose: () => void }>

/**
 * Deletion is final, so the confirmation names the channel. It belongs to the page, since the row is gone when the
 * outcome is shown.
 */
export function DeleteConfirmation({ channel, onClose }: DeleteConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(calls.remove)
  const done = () => showSuccess(t('channel.deleted', { name: channel.name }))
  return (
    <Confirm
      isOpen
      question={t('channel.deleteAsk', { name: channel.name })}
      verb={t('label.delete')}
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => mutate({ params: { id: channel.id } }, { onSuccess: done, onSettled: onClose })}
    >
      {t('channel.deleteHint')}
    </Confirm>
  )
}
