import { type RefObject, useRef, useState } from 'react'
import { type LoginAnswer, type SignedIn, user } from '../../../shared/api/user.ts'
import { useSend } from '../../api/use-call.ts'
import { useTranslation } from '../../translation.ts'
import { type HumanCheckState, useHumanCheck } from '../human-check/use-human-check.ts'

export type Login = Readonly<{
  username: string
  setUsername: (username: string) => void
  password: string
  setPassword: (password: string) => void
  passwordField: RefObject<HTMLInputElement | null>
  problem: string | undefined
  isMissing: Readonly<{ username: boolean; password: boolean }>
  /** The input is the default root account and password. */
  isDefaultRoot: boolean
  check: HumanCheckState
  /** The first factor was accepted; the second one is required. */
  isCodeRequired: boolean
  restart: () => void
  isBusy: boolean
  submit: () => void
}>

/** Logs in with username and password; shows refusals in the form, not in a toast. */
export function useLogin(
  known: string,
  isCodeRequired: boolean,
  onEnter: (signedIn: SignedIn, isDefaultRoot: boolean) => void,
  onStep?: (isCodeRequired: boolean) => void,
): Login {
  const { t } = useTranslation()
  const [username, setUsername] = useState(known)
  const [password, setPassword] = useState('')
  const [isCodeStep, setCodeStep] = useState(isCodeRequired)
  const [problem, setProblem] = useState<string>()
  const [isChecked, setChecked] = useState(false)
  const check = useHumanCheck()
  const passwordField = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useSend(user.login, { quiet: true })
  const isMissing = { username: username.trim() === '', password: password === '' }
  const isDefaultRoot = username === 'root' && password === '123456'
  const requireCode = (isWanted: boolean) => {
    setCodeStep(isWanted)
    onStep?.(isWanted)
  }
  const submit = () => {
    const isComplete = !isMissing.username && !isMissing.password
    setChecked(!isComplete)
    setProblem(isComplete ? undefined : t('login.required'))
    if (!isComplete) return
    if (check.isWaiting) return setProblem(t('turnstile.wait'))
    const input = { query: check.query, body: { username: username.trim(), password } }
    const onError = (error: Error) => {
      check.renew()
      setProblem(error.message)
      passwordField.current?.focus()
    }
    const onSuccess = (answer: LoginAnswer) =>
      'require_2fa' in answer ? requireCode(true) : onEnter(answer, isDefaultRoot)
    mutate(input, { onSuccess, onError })
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
    isCodeRequired: isCodeStep,
    restart() {
      requireCode(false)
      setPassword('')
      check.renew()
    },
    isBusy: isPending,
    submit,
  }
}
