import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { forgetConversations } from './kept-conversations.ts'
import { currentUserId, forgetUser } from './session.ts'
import { clearCallCache } from './use-call.ts'

/** Forgets who was signed in, with all that was read and kept for them, and leads to the login; the gateway has ended the session. */
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
