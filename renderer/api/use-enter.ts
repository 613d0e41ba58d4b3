import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import type { SignedIn } from '../../shared/api/user.ts'
import { showSuccess } from '../components/toasts.ts'
import { useTranslation } from '../translation.ts'
import { rememberUser } from './session.ts'
import { clearCallCache } from './use-call.ts'

/** Completes a login of any kind: clears the previous user's data, stores the new user and navigates. */
export function useEnter(): (signedIn: SignedIn, to: string) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (signedIn, to) => {
    clearCallCache(queries)
    rememberUser(signedIn, to)
    void navigate(to, { replace: true })
    showSuccess(t('login.ok'))
  }
}
