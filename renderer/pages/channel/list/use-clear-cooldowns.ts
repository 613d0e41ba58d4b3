import type { ChannelView } from '../../../../shared/api/channel.ts'
import { routing } from '../../../../shared/api/routing.ts'
import { useSend } from '../../../api/use-call.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

/** Ends all cooldowns of a channel and its keys, so that the next request may use it. */
export function useClearCooldowns({ id, name }: ChannelView): Readonly<{ clear: () => void; isBusy: boolean }> {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(routing.clearCooldowns)
  const done = () => showSuccess(t('cooldown.ended', { name }))
  return { clear: () => mutate({ params: { id } }, { onSuccess: done }), isBusy: isPending }
}
