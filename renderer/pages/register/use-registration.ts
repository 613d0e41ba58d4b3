import { useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { MAIL_AGAIN_S, registration } from '../../../shared/api/registration.ts'
import { withNext } from '../../api/next-path.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { useHumanCheck } from '../../components/human-check/use-human-check.ts'
import { dropInviteCode, inviteCode, invitedTo } from '../../components/invite-code.ts'
import { showSuccess } from '../../components/toasts.ts'
import { useWait } from '../../components/use-wait.ts'
import { useTranslation } from '../../translation.ts'
import {
  nothingEntered,
  problemsIn,
  type Registration,
  type RegistrationField,
  type RegistrationProblems,
  refusals,
} from './registration.ts'
import { useFirstPasskey } from './use-first-passkey.ts'

/** The state of the registration form. A refusal is shown at its field, else in the form. */
export function useRegistration(invitation: string) {
  const { t } = useTranslation()
  const status = useStatus()
  // Users invited by an administrator need no address.
  const needsEmail = status.email_verification && invitation === ''
  const [entered, setEntered] = useState(nothingEntered)
  const [problems, setProblems] = useState<RegistrationProblems>({})
  const [failure, setFailure] = useState<string>()
  const check = useHumanCheck()
  const box = useRef<HTMLDivElement>(null)
  const focus = (field: RegistrationField) => box.current?.querySelector<HTMLElement>(`[name="${field}"]`)?.focus()
  const enter = (change: Partial<Registration>) => {
    setEntered((before) => ({ ...before, ...change }))
    setProblems({})
  }
  const showProblems = (next: RegistrationProblems, inForm?: string) => {
    setProblems(next)
    setFailure(inForm)
  }
  const refused = (error: Error) => {
    check.renew()
    const field = refusals.find(([, keys]) => keys.some((key) => t(key) === error.message))?.[0]
    if (field !== 'code') passkey.drop()
    if (!field) return showProblems({}, error.message)
    showProblems({ [field]: error.message })
    focus(field)
  }
  const mail = useCodeMail({ entered, check, showProblems, refused, focus })
  const { mutateAsync } = useSend(registration.register, { quiet: true })
  const [isBusy, setBusy] = useState(false)
  const followUp = useFollowUp(invitation === '' ? null : invitedTo)
  const passkey = useFirstPasskey(invitation)
  const register = async () => {
    const { password, password2, email, code } = entered
    const username = entered.username.trim()
    const made = passkey.isChosen ? await passkey.make(username) : undefined
    if (passkey.isChosen && !made) return
    const secret = made ? { passkey: made } : { password, password2 }
    const address = needsEmail ? { email: email.trim(), verification_code: code.trim() } : {}
    const body = { username, ...secret, ...address, aff_code: inviteCode(), invitation }
    await mutateAsync({ query: check.query, body })
    followUp(username)
  }
  const submit = () => {
    const found = problemsIn(entered, needsEmail, !passkey.isChosen)
    showProblems(Object.fromEntries(found.map(([field, key]) => [field, t(key)])))
    if (found.length > 0) return
    if (check.isWaiting) return setFailure(t('turnstile.wait'))
    setBusy(true)
    void register()
      .catch(refused)
      .finally(() => setBusy(false))
  }
  return { box, needsEmail, entered, enter, problems, failure, check, mail, passkey, isBusy, submit }
}

/**
 * After registration: clears the invite code and continues with the login; invited users continue from there to their
 * first call.
 */
function useFollowUp(otherwise: string | null): (username: string) => void {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  return (username) => {
    dropInviteCode()
    void navigate(withNext('/login', query.get('next') ?? otherwise), { replace: true, state: { username } })
    showSuccess(t('register.ok'))
  }
}

type CodeMailParts = Readonly<{
  entered: Registration
  check: ReturnType<typeof useHumanCheck>
  showProblems: (problems: RegistrationProblems, inForm?: string) => void
  refused: (error: Error) => void
  focus: (field: RegistrationField) => void
}>

/** Sends the code mail, and counts the seconds until it may be requested again. */
export type CodeMail = ReturnType<typeof useCodeMail>

function useCodeMail({ entered, check, showProblems, refused, focus }: CodeMailParts) {
  const { t } = useTranslation()
  const [secondsLeft, wait] = useWait(MAIL_AGAIN_S)
  const { mutate, isPending } = useSend(registration.verification, { quiet: true })
  const sent = () => {
    check.renew()
    wait()
    showSuccess(t('email.sent'))
    focus('code')
  }
  const request = () => {
    const email = entered.email.trim()
    showProblems(email === '' ? { email: t('email.need') } : {})
    if (email === '') return focus('email')
    if (check.isWaiting) return showProblems({}, t('turnstile.wait'))
    mutate({ query: { ...check.query, email } }, { onSuccess: sent, onError: refused })
  }
  return { request, secondsLeft, isBusy: isPending }
}
