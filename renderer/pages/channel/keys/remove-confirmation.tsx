import type { ChannelView } from '../../../../shared/api/channel.ts'
import { routing } from '../../../../shared/api/routing.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { useTranslation } from '../../../translation.ts'
import { keyName, type TimedKey } from './use-keys.ts'

type RemoveConfirmationProps = Readonly<{ channel: ChannelView; item: TimedKey; onClose: () => void }>

/** A removed key is gone for good, so it asks and names the key and its channel. */
export function RemoveConfirmation({ channel: { id, name }, item, onClose }: RemoveConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(routing.removeKey)
  return (
    <Confirm
      isOpen
      question={t('keys.removeAsk', { key: keyName(item), name })}
      verb={t('keys.removeVerb')}
      isBusy={isPending}
      onCancel={onClose}
      onConfirm={() => mutate({ params: { id, key: item.id } }, { onSettled: onClose })}
    >
      {t('keys.removeHint')}
    </Confirm>
  )
}
