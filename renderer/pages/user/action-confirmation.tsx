import { security } from '../../../shared/api/security.ts'
import type { ManagedUser } from '../../../shared/api/user-admin.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'
import type { OfferedAction } from './ladder.ts'
import { useManage } from './use-manage.ts'

/** Actions with a confirmation; enabling has none. */
export type ConfirmedAction = Exclude<OfferedAction, 'enable'>

type ActionConfirmationProps = Readonly<{ user: ManagedUser; action: ConfirmedAction; onClose: () => void }>

/**
 * Names the account and explains the effect. It belongs to the page, because a deactivated row has no menu any more.
 */
export function ActionConfirmation({ user, action, onClose }: ActionConfirmationProps) {
  const { t } = useTranslation()
  const { manage, isBusy } = useManage()
  const reset = useSend(security.reset)
  const confirm = () => {
    if (action !== 'reset') return manage({ id: user.id, action }, onClose)
    const input = { params: { id: user.id } }
    reset.mutate(input, { onSuccess: () => showSuccess(t('op.ok')), onSettled: onClose })
  }
  return (
    <Confirm
      isOpen
      question={t(`user.ask.${action}`, { name: user.username })}
      verb={t(`user.verb.${action}`)}
      isHarmless={action === 'promote'}
      isBusy={isBusy || reset.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      {t(`user.hint.${action}`)}
    </Confirm>
  )
}
