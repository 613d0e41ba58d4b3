import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { useSend } from '../../api/use-call.ts'
import { showSuccess } from '../../components/toasts.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'

type Passwords = Readonly<{ original: string; password: string; again: string }>
type PasswordProblems = Readonly<Partial<Record<keyof Passwords, TextKey | undefined>>>

type PasswordChange = Readonly<{
  bind: (field: keyof Passwords) => Readonly<{
    name: string
    value: string
    onValue: (text: string) => void
    error: string | undefined
  }>
  refusal: string | undefined
  isDirty: boolean
  isBusy: boolean
  submit: () => void
}>

/** Changes a password; for accounts that may have none, the gateway decides whether the old one is needed. */
export function usePasswordChange(mayHaveNone: boolean, onDone: () => void): PasswordChange {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<Passwords>({ original: '', password: '', again: '' })
  const [problems, setProblems] = useState<PasswordProblems>({})
  const [refusal, setRefusal] = useState<string>()
  const { mutate, isPending } = useSend(ownAccount.update, { quiet: true })
  const submit = () => {
    const found = problemsOf(typed, mayHaveNone)
    setProblems(found)
    setRefusal(undefined)
    if (Object.keys(found).length > 0) return
    const { original, password } = typed
    const onSuccess = () => {
      showSuccess(t('pw.changed'))
      onDone()
    }
    const onError = (error: Error) => setRefusal(error.message)
    mutate({ body: { ...(original !== '' && { original_password: original }), password } }, { onSuccess, onError })
  }
  const bind: PasswordChange['bind'] = (field) => ({
    name: field,
    value: typed[field],
    onValue: (text) => {
      setTyped({ ...typed, [field]: text })
      setProblems({ ...problems, [field]: undefined })
    },
    error: problems[field] && t(problems[field]),
  })
  return { bind, refusal, isDirty: Object.values(typed).some(Boolean), isBusy: isPending, submit }
}

/** Validates by the gateway's rules (docs/reference/accounts.md#own-account). */
function problemsOf({ original, password, again }: Passwords, mayHaveNone: boolean): PasswordProblems {
  const wrong = newProblem(original, password)
  return {
    ...(original === '' && !mayHaveNone && { original: 'pw.need_original' }),
    ...(wrong && { password: wrong }),
    ...(!wrong && again !== password && { again: 'pw.mismatch_new' }),
  }
}

function newProblem(original: string, password: string): TextKey | undefined {
  if (password === '') return 'pw.need_new'
  const length = [...password].length
  if (length < MIN) return 'register.pw_short'
  if (length > MAX) return 'setup.pw_long'
  return password === original ? 'pw.same' : undefined
}

const MIN = 8
const MAX = 128
