import { type RefObject, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SignedIn, user } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'

/** The state of the login form. */
export type Login = Readonly<{
  username: string
  setUsername: (username: string) => void
  password: string
  setPassword: (password: string) => void
  passwordField: RefObject<HTMLInputElement | null>
  /** Why nobody is signed in. */
  problem: string | undefined
  /** What is still to be entered. */
  isMissing: Readonly<{ username: boolean; password: boolean }>
  /** What is entered is what every installation of the family begins with. */
  isDefaultRoot: boolean
  /** Which showing of the human check this is: a token counts once. */
  check: number
  setToken: (token: string | undefined) => void
  isBusy: boolean
  submit: () => void
}>

/** Signs in by name and password, as `account` where that is settled; a refusal is told in the form, not in a toast. */
export function useLogin(
  account: string | undefined,
  onEnter: (signedIn: SignedIn, isDefaultRoot: boolean) => void,
): Login {
  const { t } = useTranslation()
  const [typedName, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const [check, setCheck] = useState(1)
  const [token, setToken] = useState<string>()
  const isChecking = useStatus().turnstile_check
  const passwordField = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useSend(user.login, { quiet: true })
  const username = account ?? typedName
  const isMissing = { username: username.trim() === '', password: password === '' }
  const isDefaultRoot = username === 'root' && password === '123456'
  const submit = () => {
    const isComplete = !isMissing.username && !isMissing.password
    setChecked(!isComplete)
    setProblem(isComplete ? undefined : t('login.required'))
    if (!isComplete) return
    if (isChecking && !token) return setProblem(t('turnstile.wait'))
    const query = isChecking && token ? { turnstile: token } : {}
    const ask = { query, body: { username: username.trim(), password } }
    const onError = (error: Error) => {
      setToken(undefined)
      setCheck((before) => before + 1)
      setProblem(error.message)
      passwordField.current?.focus()
    }
    mutate(ask, { onSuccess: (signedIn) => onEnter(signedIn, isDefaultRoot), onError })
  }
  return {
    username,
    setUsername,
    password,
    setPassword,
    passwordField,
    problem,
    isMissing: { username: isChecked && isMissing.username, password: isChecked && isMissing.password },
    isDefaultRoot,
    check,
    setToken,
    isBusy: isPending,
    submit,
  }
}
