import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { currentUserId, forgetUser } from './session.ts'
import { forgetConversations } from './stored-conversations.ts'
import { clearCallCache } from './use-call.ts'

/**
 * Forgets the user and all data cached for them, and leads to the login page. Call after the gateway has ended the
 * session.
 */
export function useForgetSession(): () => void {
  const navigate = useNavigate()
  const queries = useQueryClient()
  return () => {
    const userId = currentUserId()
    forgetUser()
    forgetConversations(userId)
    clearCallCache(queries)
    void navigate('/login', { replace: true })
  }
}
