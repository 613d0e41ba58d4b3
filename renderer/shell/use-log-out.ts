import { useTranslation } from 'react-i18next'
import { user as userCalls } from '../../shared/api/user.ts'
import { useSend } from '../api/use-call.ts'
import { useForgetSession } from '../api/use-forget-session.ts'
import { showSuccess } from '../components/toasts.ts'

/** Ends the session on both sides; when the gateway cannot be told, nothing is forgotten. */
export function useLogOut(): () => void {
  const { t } = useTranslation()
  const forget = useForgetSession()
  const { mutate } = useSend(userCalls.logout)
  const leave = () => {
    forget()
    showSuccess(t('logout.ok'))
  }
  return () => mutate({}, { onSuccess: leave })
}
