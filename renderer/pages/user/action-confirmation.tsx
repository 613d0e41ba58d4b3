import { useTranslation } from 'react-i18next'
import type { ManagedUser, UserAction } from '../../../shared/api/user-admin.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { useManage } from './use-manage.ts'

/** What is asked about before it is done; enabling is not. */
export type AskedAction = Exclude<UserAction, 'enable'>

type ActionConfirmationProps = Readonly<{ user: ManagedUser; action: AskedAction; onClose: () => void }>

/** Names the account and says what follows. It belongs to the page, for a row that is deactivated has no menu any more. */
export function ActionConfirmation({ user, action, onClose }: ActionConfirmationProps) {
  const { t } = useTranslation()
  const { manage, isBusy } = useManage()
  return (
    <Confirm
      isOpen
      question={t(`user.ask.${action}`, { name: user.username })}
      verb={t(`user.verb.${action}`)}
      isHarmless={action === 'promote'}
      isBusy={isBusy}
      onCancel={onClose}
      onConfirm={() => manage({ id: user.id, action }, onClose)}
    >
      {t(`user.hint.${action}`)}
    </Confirm>
  )
}
