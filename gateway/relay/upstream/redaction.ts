import { isObject, objectIn, parsed } from '../../base/json.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'

const KEYLIKE = /\b((sk|pk|key)[-_][\w*.-]{8,}|AIza[\w-]{8,})/g
const ADDRESS = /\b(https?:\/\/|\d{1,3}(\.\d{1,3}){3}(:\d+)?)\S*/g
/**
 * What vendors call the account behind a key, or whoever owns it: an id with a digit in it, Google's projects, AWS's
 * names, addresses of e-mail.
 */
const ACCOUNT =
  /\b(?:org|proj|user|acct|account|team|workspace|wrkspc|tenant|sub)[-_](?=[A-Za-z-]{0,30}\d)[\w-]{6,}|\bprojects\/[\w.:-]+|\barn:aws[\w-]*:\S+|\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g
/** A shorter key is a stand-in for none, and a common word. */
const MIN_SECRET_LENGTH = 4
/** Nobody is told more of what an upstream says; it bounds what is searched for every key of a channel. */
const MAX_TEXT_LENGTH = 64 * 1024

/** A vendor's text without the channel's key, its address, and anything that looks like a key, an address or an account. */
export function withoutSecrets(text: string, channel: ActiveChannel | undefined): string {
  return lookalikes(masked(text, secretsOf(channel)).slice(0, MAX_READ)).slice(0, MAX_TOLD)
}

/** Characters that are told, and those that are looked through for them: what is masked makes a text shorter. */
const MAX_TOLD = 2048
const MAX_READ = 4 * MAX_TOLD

const lookalikes = (text: string): string =>
  text.replace(KEYLIKE, '***').replace(ADDRESS, '***').replace(ACCOUNT, '***')

/** JSON of a vendor's with each of its texts, names of members too, without what `withoutSecrets` takes away; the same text where nothing is. */
export function scrubbed(json: string, channel: ActiveChannel | undefined): string {
  const secrets = secretsOf(channel)
  let isChanged = false
  const clean = (text: string): string => {
    const redacted = lookalikes(masked(text, secrets))
    isChanged ||= redacted !== text
    return redacted
  }
  const walked = (value: unknown): unknown => {
    if (typeof value === 'string') return clean(value)
    if (Array.isArray(value)) return value.map(walked)
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, of]) => [clean(name), walked(of)]))
      : value
  }
  const redacted = walked(parsed(json))
  return isChanged ? JSON.stringify(redacted) : json
}

/** A text with nothing masked but the channel's keys, each part of them, its other secrets and its host. */
export function withoutKnown(text: string, channel: ActiveChannel | undefined): string {
  return masked(text, secretsOf(channel))
}

/** What must not be told; the longest first, since one may be the beginning of another. */
function secretsOf(channel: ActiveChannel | undefined): readonly string[] {
  if (!channel) return []
  const parts = [channel.key, ...channel.allKeys].flatMap((key) => [key, ...partsOf(key)])
  const host = URL.parse(channel.baseUrl)?.host ?? ''
  const secrets = [...new Set([...parts, ...channel.secrets, host])].filter(({ length }) => length >= MIN_SECRET_LENGTH)
  return secrets.toSorted((one, other) => other.length - one.length)
}

const masked = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text.slice(0, MAX_TEXT_LENGTH))

/** What a key consists of: its parts between bars, or all that a service account's file says. */
function partsOf(key: string): readonly string[] {
  if (!key.startsWith('{')) return key.split('|')
  return Object.values(objectIn(parsed(key))).filter((part) => typeof part === 'string')
}
