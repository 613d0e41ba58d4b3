import { useMutation } from '@tanstack/react-query'
import { user as userCalls } from '../../shared/api/user.ts'
import { send } from '../api/client.ts'
import { useForgetSession } from '../api/use-forget-session.ts'
import { clearToasts, showSuccess } from '../components/toasts.ts'
import { useTranslation } from '../translation.ts'

/**
 * Ends the session in the gateway, then forgets the user in this browser; if the call fails, the browser forgets
 * nothing.
 */
export function useLogOut(): () => void {
  const { t } = useTranslation()
  const forget = useForgetSession()
  const { mutate } = useMutation({
    mutationFn: () => send(userCalls.logout, {}),
    onMutate: clearToasts,
    // Unlike after other calls, nothing is refreshed, because no one is signed in any more.
    onSuccess() {
      forget()
      showSuccess(t('logout.ok'))
    },
  })
  return () => mutate()
}
