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

/** What is wrong with a field, once somebody has tried to save it. */
type PreferenceProblems = Readonly<Partial<Record<keyof Preference, TextKey>>>

/** The form of the preferences. */
export type PreferenceForm = Readonly<{
  now: Preference
  stored: StoredPreference | undefined
  change: (next: Partial<Preference>) => void
  problems: PreferenceProblems
  /** Notifications are to go to an address that is neither the account's own nor the one before. */
  isUnproven: boolean
  isDirty: boolean
  isBusy: boolean
  /** Resolves to what is wrong; to nothing where it was saved, or was refused and said so. */
  save: () => Promise<PreferenceProblems>
  discard: () => void
}>

/** Edits what stands in the account's `setting`; what is not touched follows what is stored. */
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
      // An address that nobody was asked to prove stays behind.
      const isLeft = isUnproven && now.notify_type !== 'email'
      const sent = isLeft ? { ...now, notification_email: before.notification_email, notification_code: '' } : now
      await mutateAsync({ body: changeOf(before, sent, stored) })
    } catch (error) {
      if (error instanceof CallFailure && error.status !== 401) showFailure(failureTo(t('setting.fail'), error))
      return {}
    }
    // Else what was typed would show for a moment what was stored before.
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

/** What the gateway would refuse for certain. */
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
