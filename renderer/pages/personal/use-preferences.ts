import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ownAccount } from '../../../shared/api/own-account.ts'
import type { UserView } from '../../../shared/api/user.ts'
import { isWebLink } from '../../../shared/links.ts'
import { CallFailure, failureTo } from '../../api/call-failure.ts'
import { useStatus } from '../../api/status.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { showFailure, showSuccess, showWarning } from '../../components/toasts.ts'
import type { TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { changedIn, changeOf, type Preference, preferenceOf, type StoredPreference, storedIn } from './own-setting.ts'

type PreferenceProblems = Readonly<Partial<Record<keyof Preference, TextKey>>>

export type PreferenceForm = Readonly<{
  now: Preference
  stored: StoredPreference | undefined
  change: (next: Partial<Preference>) => void
  problems: PreferenceProblems
  /** The notification address is not empty, and neither the account's nor the previous one. */
  isUnproven: boolean
  isDirty: boolean
  isBusy: boolean
  /** Resolves to the problems; empty if all was saved, if nothing was changed, or if a refusal was reported. */
  save: () => Promise<PreferenceProblems>
  discard: () => void
}>

/** Edits the account's `setting`; untouched fields follow the stored values. */
export function usePreferences(account: UserView): PreferenceForm {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [typed, setTyped] = useState<Partial<Preference>>({})
  const [isChecked, setChecked] = useState(false)
  const { mutateAsync, isPending } = useSend(ownAccount.setting, { quiet: true })
  const stored = storedIn(account.setting)
  const before = preferenceOf(stored, useStatus().quota_remind_threshold)
  const now: Preference = { ...before, ...typed }
  const isDirty = changedIn(before, now).length > 0
  const address = now.notification_email.trim().toLowerCase()
  const isUnproven = !['', account.email.toLowerCase(), before.notification_email].includes(address)
  const problems = problemsOf(now, isUnproven)
  const forget = () => {
    setTyped({})
    setChecked(false)
  }
  const save = async (): Promise<PreferenceProblems> => {
    if (!isDirty) showWarning(t('option.nochange'))
    setChecked(true)
    if (!isDirty || Object.keys(problems).length > 0) return problems
    try {
      // While notices are not sent by mail, an address that was not verified is not saved.
      const isLeft = isUnproven && now.notify_type !== 'email'
      const sent = isLeft ? { ...now, notification_email: before.notification_email, notification_code: '' } : now
      await mutateAsync({ body: changeOf(before, sent, stored) })
    } catch (error) {
      if (error instanceof CallFailure && error.status !== 401) showFailure(failureTo(t('setting.fail'), error))
      return {}
    }
    // Otherwise the old value would flash.
    await queries.invalidateQueries({ queryKey: [areaOf(ownAccount.setting)] })
    forget()
    showSuccess(t('setting.ok'))
    return {}
  }
  return {
    now,
    stored,
    change: (next) => setTyped({ ...typed, ...next }),
    problems: isChecked ? problems : {},
    isUnproven,
    isDirty,
    isBusy: isPending,
    save,
    discard: forget,
  }
}

function problemsOf(now: Preference, isUnproven: boolean): PreferenceProblems {
  const address = now.notify_type === 'webhook' ? addressProblem(now.webhook_url.trim()) : undefined
  const needsCode = isUnproven && now.notify_type === 'email' && now.notification_code.trim() === ''
  return {
    ...(needsCode && { notification_code: 'setting.need_code' }),
    ...((now.quota_warning_threshold ?? 0) <= 0 && { quota_warning_threshold: 'setting.threshold' }),
    ...(address && { webhook_url: address }),
  }
}

function addressProblem(address: string): TextKey | undefined {
  if (address === '') return 'setting.webhook_empty'
  return isWebLink(address) ? undefined : 'setting.webhook_bad'
}
