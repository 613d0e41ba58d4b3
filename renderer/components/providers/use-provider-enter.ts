import { useNavigate } from 'react-router-dom'
import type { LoginAnswer } from '../../../shared/api/user.ts'
import { withNext } from '../../api/next-path.ts'
import { useEnter } from '../../api/use-enter.ts'
import { dropInviteCode } from '../invite-code.ts'

/**
 * Continues after an OAuth login: to `to`, or to the login page if a second factor is required. The invite code has
 * been used by then.
 */
export function useProviderEnter(): (answer: LoginAnswer, to: string) => void {
  const navigate = useNavigate()
  const enter = useEnter()
  return (answer, to) => {
    dropInviteCode()
    if ('require_2fa' in answer)
      void navigate(withNext('/login', to), { replace: true, state: { isCodeRequired: true } })
    else enter(answer, to)
  }
}
