import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { MAIL_AGAIN_S, registration } from '../../../shared/api/registration.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { showSuccess, showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

/** A code that was asked for by mail, or can be. */
export type SentCode = Readonly<{
  ask: (email: string) => void
  isBusy: boolean
  /** Until when nobody can ask once more, in unix milliseconds; undefined while no code was sent. */
  againAt: number | undefined
}>

/** Asking for a code by mail where the human check may be on. */
export type MailCode = SentCode &
  Readonly<{
    /** Which showing of the human check this is: a token counts once. */
    check: number
    setToken: (token: string | undefined) => void
  }>

/** Has codes sent, each with a token of its own where the human check is on; `onSent` is called once one is on its way. */
export function useMailCode(onSent: () => void): MailCode {
  const { t } = useTranslation()
  const isChecking = useStatus().turnstile_check
  const [token, setToken] = useState<string>()
  const [check, setCheck] = useState(1)
  const { againAt, onSuccess } = useSent(onSent)
  const { mutate, isPending } = useSend(registration.verification)
  const ask = (email: string) => {
    if (isChecking && !token) return showWarning(t('turnstile.wait'))
    const onSettled = () => {
      setToken(undefined)
      setCheck((before) => before + 1)
    }
    mutate({ query: { email, ...(isChecking && token && { turnstile: token }) } }, { onSuccess, onSettled })
  }
  return { ask, isBusy: isPending, againAt, check, setToken }
}

/** Has codes sent to an address that notifications are to go to. */
export function useNoticeCode(onSent: () => void): SentCode {
  const { againAt, onSuccess } = useSent(onSent)
  const { mutate, isPending } = useSend(ownAccount.settingCode)
  return { ask: (email) => mutate({ body: { email } }, { onSuccess }), isBusy: isPending, againAt }
}

function useSent(onSent: () => void) {
  const { t } = useTranslation()
  const [againAt, setAgainAt] = useState<number>()
  const onSuccess = () => {
    setAgainAt(Date.now() + MAIL_AGAIN_S * 1000)
    showSuccess(t('email.sent'))
    onSent()
  }
  return { againAt, onSuccess }
}
