import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { type SignedIn, user } from '../../../shared/api/user.ts'
import { rememberUser } from '../../api/session.ts'
import { clearCallCache, useSend } from '../../api/use-call.ts'
import { showSuccess, showWarning } from '../../components/toasts.tsx'

/** The state of the login form; a success lands on /token (docs/reference/screens.md#login). */
export function useLogin() {
  const { t } = useTranslation()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const enter = useEnter()
  const { mutate, isPending } = useSend(user.login)
  const isDefaultRoot = username === 'root' && password === '123456'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isComplete = username.trim() !== '' && password !== ''
    setProblem(isComplete ? undefined : t('login.required'))
    if (!isComplete) return
    const ask = { query: {}, body: { username: username.trim(), password } }
    mutate(ask, { onSuccess: (signedIn) => enter(signedIn, isDefaultRoot) })
  }
  return { username, setUsername, password, setPassword, problem, isDefaultRoot, isBusy: isPending, submit }
}

/** What follows a success: nothing of an earlier person stays, the new one is remembered. */
function useEnter(): (signedIn: SignedIn, isDefaultRoot: boolean) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  return (signedIn, isDefaultRoot) => {
    clearCallCache(queries)
    rememberUser(signedIn)
    void navigate('/token', { replace: true })
    showSuccess(t('login.ok'))
    if (isDefaultRoot) showWarning(t('login.default_pw'))
  }
}
