import { noticeTypes, type SettingChange, type UserSetting, userSetting } from '../../shared/api/own-account.ts'
import { MASK } from '../../shared/secret-mask.ts'
import { refuse } from '../base/errors.ts'
import { isObject, parsed } from '../base/json/json.ts'
import { parsedAddress } from '../base/network/web-address.ts'
import { UnreadableSecret, type Vault } from '../base/secrets/ciphers.ts'
import type { WebhookCheck } from '../notify/webhook-check.ts'
import type { UserRow } from '../store/schema/schema.ts'
import { mailAddress } from './recovery/mail-addresses.ts'

/** A user's settings as JSON text, and the id of the user, to whose row the secret is sealed. */
export type StoredSetting = Readonly<{ id: number; setting: string }>

/** All members, including those of other programs; {} if the text is not an object. */
const membersOf = (text: string): Readonly<Record<string, unknown>> => {
  const found = text === '' ? {} : parsed(text)
  return isObject(found) ? found : {}
}

export function shownSetting(text: string): string {
  const members = membersOf(text)
  if (!members.webhook_secret) return text
  return JSON.stringify({ ...members, webhook_secret: MASK })
}

/** A user's settings with the webhook secret decrypted, or omitted if it cannot be. */
export function openedSetting({ id, setting }: StoredSetting, vault: Vault): UserSetting {
  const { webhook_secret, ...rest } = userSetting.parse(membersOf(setting))
  const secret = webhook_secret && opened(webhook_secret, id, vault)
  return secret ? { ...rest, webhook_secret: secret } : rest
}

/**
 * Returns the settings after a change, as stored (docs/reference/accounts.md#notices): absent members keep their
 * values, including those of the notification type not chosen. Throws if they are inconsistent.
 */
export function changedSetting(
  { id, setting }: StoredSetting,
  change: SettingChange,
  { vault, refusalOf }: Readonly<{ vault: Vault; refusalOf: WebhookCheck }>,
): string {
  const before = membersOf(setting)
  const { webhook_secret, ...plain } = change
  const after: Record<string, unknown> = { ...before, ...checked(plain, userSetting.parse(before), refusalOf) }
  // A secret stays with the host it was entered for.
  if (webhook_secret === null || originOf(after.webhook_url) !== originOf(before.webhook_url))
    delete after.webhook_secret
  if (webhook_secret && webhook_secret !== MASK) after.webhook_secret = vault.seal(webhook_secret, sealContext(id))
  return JSON.stringify(after)
}

/** The new notification address, if its owner has not proven that they read it. */
export function unprovenAddress(
  { email, setting }: Pick<UserRow, 'email' | 'setting'>,
  { notification_email = '' }: SettingChange,
): string | undefined {
  if (notification_email.trim() === '') return undefined
  const address = mailAddress(notification_email)
  const isKnown =
    address === email.toLowerCase() || address === userSetting.parse(membersOf(setting)).notification_email
  return isKnown ? undefined : address
}

const originOf = (address: unknown): string | undefined =>
  typeof address === 'string' ? parsedAddress(address.trim())?.origin : undefined

type PlainChange = Omit<SettingChange, 'webhook_secret'>

function checked(change: PlainChange, before: UserSetting, refusalOf: WebhookCheck): PlainChange {
  const { notify_type, quota_warning_threshold, notification_email } = change
  if (notify_type !== undefined && !noticeTypes.some((one) => one === notify_type))
    throw refuse('invalid', 'setting.bad_type')
  if (quota_warning_threshold !== undefined && !(quota_warning_threshold > 0))
    throw refuse('invalid', 'setting.threshold')
  const url = (change.webhook_url ?? before.webhook_url ?? '').trim()
  if (url === '' && (notify_type ?? before.notify_type) === 'webhook') throw refuse('invalid', 'setting.webhook_empty')
  // A stored URL is not checked again: a failed delivery reports it, and it must not block other changes.
  const isChosen = url !== before.webhook_url || (notify_type === 'webhook' && before.notify_type !== 'webhook')
  const refusal = url !== '' && isChosen ? refusalOf(url) : undefined
  if (refusal) throw refuse('invalid', refusal)
  return {
    ...change,
    ...(change.webhook_url !== undefined && { webhook_url: url }),
    ...(notification_email !== undefined && {
      notification_email: notification_email.trim() === '' ? '' : mailAddress(notification_email),
    }),
  }
}

const SEALED = 'v1.'
const sealContext = (id: number): string => `users|${id}|webhook_secret`

function opened(secret: string, id: number, vault: Vault): string {
  if (!secret.startsWith(SEALED)) return secret
  try {
    return vault.open(secret, sealContext(id))
  } catch (error) {
    if (error instanceof UnreadableSecret) return ''
    throw error
  }
}
