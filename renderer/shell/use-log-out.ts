import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { user as userCalls } from '../../shared/api/user.ts'
import { forgetConversations } from '../api/kept-conversations.ts'
import { currentUserId, forgetUser } from '../api/session.ts'
import { clearCallCache, useSend } from '../api/use-call.ts'
import { showSuccess } from '../components/toasts.ts'

/** Ends the session on both sides; when the gateway cannot be told, nothing is forgotten. */
export function useLogOut(): () => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { mutate } = useSend(userCalls.logout)
  const leave = () => {
    const userId = currentUserId()
    forgetUser()
    forgetConversations(userId)
    clearCallCache(queries)
    void navigate('/login', { replace: true })
    showSuccess(t('logout.ok'))
  }
  return () => mutate({}, { onSuccess: leave })
}
