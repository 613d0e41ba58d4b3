import { useNavigate } from 'react-router-dom'
import type { LoginAnswer } from '../../../shared/api/user.ts'
import { withNext } from '../../api/next-place.ts'
import { useEnter } from '../../api/use-enter.ts'
import { dropInviteCode } from '../invite-code.ts'

/**
 * What follows once a provider was the first factor: the way to `to`, or first the login page, which asks for the second one.
 * An invite code has counted by then.
 */
export function useProviderEnter(): (answer: LoginAnswer, to: string) => void {
  const navigate = useNavigate()
  const enter = useEnter()
  return (answer, to) => {
    dropInviteCode()
    if ('require_2fa' in answer) void navigate(withNext('/login', to), { replace: true, state: { isCodeAsked: true } })
    else enter(answer, to)
  }
}
