import { isObject, objectIn, parsed } from '../../base/json/json.ts'
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

/** Of the texts of an answer, together. */
const MAX_OF_ALL = 8 * MAX_TEXT_LENGTH

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
  const redacted = eachText(parsed(json), (text) => {
    const clean = lookalikes(masked(text, secrets))
    isChanged ||= clean !== text
    return clean
  })
  return isChanged ? JSON.stringify(redacted) : json
}

/** JSON with each of its texts, names of members too, made another one. */
function eachText(value: unknown, change: (text: string) => string, changeName = change): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => eachText(one, change, changeName))
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, of]) => [changeName(name), eachText(of, change, changeName)]),
      )
    : value
}

/** A text with nothing masked but the channel's keys, each part of them, its other secrets and its host. */
export function withoutKnown(text: string, channel: ActiveChannel | undefined): string {
  return masked(text, secretsOf(channel))
}

/**
 * As `withoutKnown` in each text of a vendor's JSON, the names of members too; long ones are cut, and so is all that is too much
 * together. Names are never cut: two of them would become one, and a member be lost.
 */
export function withoutKnownIn(value: unknown, channel: ActiveChannel | undefined): unknown {
  const secrets = secretsOf(channel)
  let left = MAX_OF_ALL
  const told = (text: string) => {
    const clean = masked(text, secrets, Math.min(left, MAX_TEXT_LENGTH / 4))
    left = Math.max(0, left - text.length)
    return clean
  }
  return eachText(value, told, (name) => withoutEach(name, secrets))
}

/** As `withoutKnownIn` without the host's name: what is at the channel's own address is found there alone. */
export function withoutKeysIn(value: unknown, channel: ActiveChannel): unknown {
  const keys = keysOf(channel)
  return eachText(value, (text) => withoutEach(text, keys))
}

/** What must not be told, as one walk through a text finds it, however much of it there is. */
type Secrets = Readonly<{
  all: ReadonlySet<string>
  /** Their first two characters, as a number. */
  pairs: ReadonlySet<number>
  /** By their first characters, how long they are, the longest first. */
  lengths: ReadonlyMap<string, readonly number[]>
}>

function secretsOf(channel: ActiveChannel | undefined): Secrets {
  return channel ? keysOf(channel, [URL.parse(channel.baseUrl)?.host ?? '']) : NOTHING
}

const NOTHING: Secrets = { all: new Set(), pairs: new Set(), lengths: new Map() }

function keysOf(channel: ActiveChannel, others: readonly string[] = []): Secrets {
  const parts = [channel.key, ...channel.allKeys].flatMap((key) => [key, ...partsOf(key)])
  const all = new Set([...parts, ...channel.secrets, ...others].filter(({ length }) => length >= MIN_SECRET_LENGTH))
  const lengths = new Map<string, number[]>()
  // The longest first, since one may be the beginning of another.
  for (const secret of [...all].toSorted((one, other) => other.length - one.length)) {
    const begun = secret.slice(0, MIN_SECRET_LENGTH)
    const known = lengths.get(begun)
    if (!known) lengths.set(begun, [secret.length])
    else if (known.at(-1) !== secret.length) known.push(secret.length)
  }
  return { all, pairs: new Set(Array.from(all, (secret) => pairAt(secret, 0))), lengths }
}

const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1)

/** A text with each secret in it masked: in one walk, so that a channel of a thousand keys is no thousand walks. */
function withoutEach(text: string, { all, pairs, lengths }: Secrets): string {
  let clean = ''
  let told = 0
  for (let at = 0; at + MIN_SECRET_LENGTH <= text.length; at += 1) {
    if (!pairs.has(pairAt(text, at))) continue
    const possible = lengths.get(text.slice(at, at + MIN_SECRET_LENGTH))
    const length = possible?.find((length) => all.has(text.slice(at, at + length)))
    if (length === undefined) continue
    // One that begins within another one is masked with it.
    if (at >= told) clean += `${text.slice(told, at)}***`
    told = Math.max(told, at + length)
  }
  return clean + text.slice(told)
}

/**
 * Masked and cut: where it is cut here, the beginning of a secret at its end goes as well. What is cut where it is read is no JSON,
 * and is told to nobody.
 */
function masked(text: string, secrets: Secrets, max = MAX_TEXT_LENGTH): string {
  const clean = withoutEach(text.slice(0, max), secrets)
  return text.length > max ? withoutBeginning(clean, secrets) : clean
}

function withoutBeginning(text: string, { all }: Secrets): string {
  const begun = (secret: string): number => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
      if (text.endsWith(secret.slice(0, length))) return length
    return 0
  }
  return text.slice(0, text.length - Math.max(0, ...Array.from(all, begun)))
}

/** What a key consists of: its parts between bars, or all that a service account's file says. */
function partsOf(key: string): readonly string[] {
  if (!key.startsWith('{')) return key.split('|')
  return Object.values(objectIn(parsed(key))).filter((part) => typeof part === 'string')
}
