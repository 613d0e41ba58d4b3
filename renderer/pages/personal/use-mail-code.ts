import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import { MAIL_AGAIN_S, registration } from '../../../shared/api/registration.ts'
import { useStatus } from '../../api/status.ts'
import { useSend } from '../../api/use-call.ts'
import { showSuccess, showWarning } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

export type SentCode = Readonly<{
  request: (email: string) => void
  isBusy: boolean
  /** When another code may be requested, in unix milliseconds; undefined before the first. */
  againAt: number | undefined
}>

/** As `SentCode`, with a human check if enabled. */
export type MailCode = SentCode &
  Readonly<{
    /** Counts how often the human check was shown, because tokens are single-use. */
    check: number
    setToken: (token: string | undefined) => void
  }>

/** Requests codes, each with its own token if the human check is enabled; calls `onSent` after each. */
export function useMailCode(onSent: () => void): MailCode {
  const { t } = useTranslation()
  const isChecking = useStatus().turnstile_check
  const [token, setToken] = useState<string>()
  const [check, setCheck] = useState(1)
  const { againAt, onSuccess } = useSent(onSent)
  const { mutate, isPending } = useSend(registration.verification)
  const request = (email: string) => {
    if (isChecking && !token) return showWarning(t('turnstile.wait'))
    const onSettled = () => {
      setToken(undefined)
      setCheck((before) => before + 1)
    }
    mutate({ query: { email, ...(isChecking && token && { turnstile: token }) } }, { onSuccess, onSettled })
  }
  return { request, isBusy: isPending, againAt, check, setToken }
}

export function useNoticeCode(onSent: () => void): SentCode {
  const { againAt, onSuccess } = useSent(onSent)
  const { mutate, isPending } = useSend(ownAccount.settingCode)
  return { request: (email) => mutate({ body: { email } }, { onSuccess }), isBusy: isPending, againAt }
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
