import { type ChannelView, channel as calls } from '../../../../shared/api/channel.ts'
import { channelStatus } from '../../../../shared/enums.ts'
import { CallFailure, failureTo } from '../../../api/call-failure.ts'
import { useSend } from '../../../api/use-call.ts'
import { showFailure, showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** Enable writes 1, disable 2; only the system writes 3 (docs/reference/channels.md#fields). */
export function useToggle({ id, status: current }: ChannelView): { isEnabled: boolean; send: () => void } {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.update)
  const isEnabled = current === channelStatus.enabled
  const status = isEnabled ? channelStatus.disabled : channelStatus.enabled
  return {
    isEnabled,
    send: () => mutate({ body: { id, status } }, { onSuccess: () => showSuccess(t('op.ok')) }),
  }
}

/** The gateway copies the key, which the console never has (docs/reference/channels.md#writing). */
export function useCopyChannel({ id, name }: ChannelView): () => void {
  const { t } = useTranslation()
  const { mutate } = useSend(calls.create, { quiet: true })
  const copied = t('channel.copyName', { name })
  const fail = (error: Error) => {
    if (!(error instanceof CallFailure)) throw error
    showFailure(failureTo(t('channel.copy_fail'), error))
  }
  return () =>
    mutate(
      { body: { copy_from: id, name: copied } },
      { onSuccess: () => showSuccess(t('channel.copied', { name: copied })), onError: fail },
    )
}
