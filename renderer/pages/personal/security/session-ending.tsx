import { type SessionView, security } from '../../../../shared/api/security.ts'
import { useSend } from '../../../api/use-call.ts'
import { Confirm } from '../../../components/confirm/confirm.tsx'
import { useDeviceName } from '../../../components/device-name/use-device-name.ts'
import { showSuccess } from '../../../components/toasts.ts'
import { useTranslation } from '../../../translation.ts'

type SessionEndingProps = Readonly<{
  /** What to end: one session, or all but the current one. */
  ending: SessionView | 'others' | undefined
  onClose: () => void
  /** Called after the previously focused element was removed. */
  onEnded: () => void
}>

export function SessionEnding({ ending, onClose, onEnded }: SessionEndingProps) {
  const { t } = useTranslation()
  const deviceName = useDeviceName()
  const one = useSend(security.endSession)
  const endOthers = useSend(security.endOthers)
  const session = ending === 'others' ? undefined : ending
  const end = () => {
    const settled = (done: string) => ({
      onSuccess() {
        showSuccess(done)
        onEnded()
      },
      onSettled: onClose,
    })
    if (session) one.mutate({ params: { id: session.id } }, settled(t('security.ended')))
    if (ending === 'others') endOthers.mutate({}, settled(t('security.othersEnded')))
  }
  return (
    <Confirm
      isOpen={ending !== undefined}
      question={session ? t('security.endAsk', { device: deviceName(session.user_agent) }) : t('security.endOthersAsk')}
      verb={t(session ? 'security.endVerb' : 'security.endOthersVerb')}
      isBusy={one.isPending || endOthers.isPending}
      onCancel={onClose}
      onConfirm={end}
    >
      {t(session ? 'security.endHint' : 'security.endOthersHint')}
    </Confirm>
  )
}
