import * as z from 'zod/mini'
import type { SettingChange } from '../../../shared/api/own-account.ts'
import { parsed } from '../../../shared/json.ts'

export type Preference = Readonly<{
  notify_type: 'email' | 'webhook'
  /** In quota; undefined while the input is invalid. */
  quota_warning_threshold: number | undefined
  notification_email: string
  /** The code mailed to another notification address. */
  notification_code: string
  webhook_url: string
  /** Replaces the stored secret: empty leaves it unchanged, null removes it. */
  webhook_secret: string | null
  accept_unset_model_ratio_model: boolean
  record_ip_log: boolean
}>

export type StoredPreference = z.output<typeof stored>

const stored = z.object({
  notify_type: z.catch(z.optional(z.enum(['email', 'webhook'])), undefined),
  quota_warning_threshold: z.catch(z.optional(z.number()), undefined),
  notification_email: z.catch(z.string(), ''),
  webhook_url: z.catch(z.string(), ''),
  /** The mask of the stored secret, or empty. */
  webhook_secret: z.catch(z.string(), ''),
  accept_unset_model_ratio_model: z.catch(z.boolean(), false),
  record_ip_log: z.catch(z.boolean(), false),
})

/** Parses an account's `setting`, which is JSON or empty; undefined if nothing was ever saved. */
export const storedIn = (setting: string): StoredPreference | undefined => stored.safeParse(parsed(setting)).data

/** The form's initial values; `remindThreshold` is the default threshold (docs/reference/screens.md#personal). */
export function preferenceOf(from: StoredPreference | undefined, remindThreshold: number): Preference {
  const threshold = from?.quota_warning_threshold ?? remindThreshold
  return {
    notify_type: from?.notify_type ?? 'email',
    quota_warning_threshold: Math.round(threshold),
    notification_email: from?.notification_email ?? '',
    notification_code: '',
    webhook_url: from?.webhook_url ?? '',
    webhook_secret: '',
    accept_unset_model_ratio_model: from?.accept_unset_model_ratio_model ?? false,
    record_ip_log: from?.record_ip_log ?? false,
  }
}

const noticeKeys: ReadonlySet<string> = new Set<keyof Preference>([
  'notify_type',
  'quota_warning_threshold',
  'notification_email',
  'webhook_url',
  'webhook_secret',
])

/**
 * The request: only changed keys. The first change of notifications also saves displayed defaults, so that what is
 * shown takes effect.
 */
export function changeOf(before: Preference, now: Preference, from: StoredPreference | undefined): SettingChange {
  const changed = changedIn(before, now)
  const first = changed.some((key) => noticeKeys.has(key)) ? unsavedIn(from) : []
  const sent = new Set([...first, ...changed])
  return Object.fromEntries(Object.entries(trimmed(now)).filter(([key]) => sent.has(key)))
}

export const changedIn = (before: Preference, now: Preference): readonly string[] => {
  const then = new Map<string, unknown>(Object.entries(before))
  return Object.entries(now).flatMap(([key, value]) => (then.get(key) === value ? [] : [key]))
}

const unsavedIn = (from: StoredPreference | undefined): readonly string[] =>
  (['notify_type', 'quota_warning_threshold'] as const).filter((key) => from?.[key] === undefined)

const trimmed = (now: Preference): Preference => ({
  ...now,
  notification_email: now.notification_email.trim(),
  notification_code: now.notification_code.trim(),
  webhook_url: now.webhook_url.trim(),
})
