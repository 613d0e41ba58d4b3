import { isObject, objectIn, parsed } from '../../base/json/json.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'

const KEYLIKE = /\b((sk|pk|key)[-_][\w*.-]{8,}|AIza[\w-]{8,})/g
const ADDRESS = /\b(https?:\/\/|\d{1,3}(\.\d{1,3}){3}(:\d+)?)\S*/g
/**
 * Vendors' names of a key's account or owner: an id with a digit in it, Google's projects, AWS's names, email
 * addresses.
 */
const ACCOUNT =
  /\b(?:org|proj|user|acct|account|team|workspace|wrkspc|tenant|sub)[-_](?=[A-Za-z-]{0,30}\d)[\w-]{6,}|\bprojects\/[\w.:-]+|\barn:aws[\w-]*:\S+|\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64})+/g
/** Min length of a secret that is masked; a shorter one is a placeholder or a common word. */
const MIN_SECRET_LENGTH = 4
/** The longest upstream text that is passed on; limits the search for a channel's keys. */
const MAX_TEXT_LENGTH = 64 * 1024

/** Limit of all texts of one value together. */
const MAX_TOTAL_CHARACTERS = 8 * MAX_TEXT_LENGTH

/**
 * Removes the channel's keys and address from a vendor's text, and anything that looks like a key, an address or an
 * account.
 */
export function withoutSecrets(text: string, channel: ActiveChannel | undefined): string {
  return lookalikes(masked(text, secretsOf(channel)).slice(0, MAX_READ)).slice(0, MAX_RETURNED)
}

/** Characters that are returned and that are searched: masking shortens a text. */
const MAX_RETURNED = 2048
const MAX_READ = 4 * MAX_RETURNED

const lookalikes = (text: string): string =>
  text.replace(KEYLIKE, '***').replace(ADDRESS, '***').replace(ACCOUNT, '***')

/**
 * Removes secrets, and anything that looks like one, from every string of a vendor's JSON, names of members included,
 * and cuts long strings; returns the same text if nothing changes.
 */
export function scrubbed(json: string, channel: ActiveChannel | undefined): string {
  const secrets = secretsOf(channel)
  let isChanged = false
  const redacted = eachText(parsed(json), (text) => {
    const clean = lookalikes(masked(text, secrets).slice(0, MAX_READ))
    isChanged ||= clean !== text
    return clean
  })
  return isChanged ? JSON.stringify(redacted) : json
}

function eachText(value: unknown, change: (text: string) => string, changeName = change): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => eachText(one, change, changeName))
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, of]) => [changeName(name), eachText(of, change, changeName)]),
      )
    : value
}

/** Masks only the channel's keys, their parts, its other secrets and its host; cuts a long text. */
export function withoutKnown(text: string, channel: ActiveChannel | undefined): string {
  return masked(text, secretsOf(channel))
}

/**
 * Applies `withoutKnown` to every string of a vendor's JSON, names of members included. Cuts long strings, and limits
 * their total length. Names are never cut, since two of them could become equal and lose a member.
 */
export function withoutKnownIn(value: unknown, channel: ActiveChannel | undefined): unknown {
  const secrets = secretsOf(channel)
  let left = MAX_TOTAL_CHARACTERS
  const cleaned = (text: string) => {
    const clean = masked(text, secrets, Math.min(left, MAX_TEXT_LENGTH / 4))
    left = Math.max(0, left - text.length)
    return clean
  }
  return eachText(value, cleaned, (name) => withoutEach(name, secrets))
}

/**
 * Masks like `withoutKnownIn`, but keeps the host, for links that only work at the channel's address, and cuts nothing.
 */
export function withoutKeysIn(value: unknown, channel: ActiveChannel): unknown {
  const keys = keysOf(channel)
  return eachText(value, (text) => withoutEach(text, keys))
}

/** Secrets indexed for a single pass over a text, however many there are. */
type Secrets = Readonly<{
  all: ReadonlySet<string>
  /** The first two characters of each secret, as a number. */
  pairs: ReadonlySet<number>
  lengths: ReadonlyMap<string, readonly number[]>
}>

function secretsOf(channel: ActiveChannel | undefined): Secrets {
  return channel ? keysOf(channel, [URL.parse(channel.baseUrl)?.host ?? '']) : NOTHING
}

const NOTHING: Secrets = { all: new Set(), pairs: new Set(), lengths: new Map() }

function keysOf(channel: ActiveChannel, more: readonly string[] = []): Secrets {
  const parts = [channel.key, ...channel.allKeys].flatMap((key) => [key, ...partsOf(key)])
  const all = new Set([...parts, ...channel.secrets, ...more].filter(({ length }) => length >= MIN_SECRET_LENGTH))
  const lengths = new Map<string, number[]>()
  // The longest first, since one may be a prefix of another.
  for (const secret of [...all].toSorted((one, other) => other.length - one.length)) {
    const prefix = secret.slice(0, MIN_SECRET_LENGTH)
    const known = lengths.get(prefix)
    if (!known) lengths.set(prefix, [secret.length])
    else if (known.at(-1) !== secret.length) known.push(secret.length)
  }
  return { all, pairs: new Set(Array.from(all, (secret) => pairAt(secret, 0))), lengths }
}

const pairAt = (text: string, at: number): number => text.charCodeAt(at) * 0x10000 + text.charCodeAt(at + 1)

/** Masks all secrets in a single pass, so that a channel with a thousand keys needs no thousand passes. */
function withoutEach(text: string, { all, pairs, lengths }: Secrets): string {
  let clean = ''
  let done = 0
  for (let at = 0; at + MIN_SECRET_LENGTH <= text.length; at += 1) {
    if (!pairs.has(pairAt(text, at))) continue
    const possible = lengths.get(text.slice(at, at + MIN_SECRET_LENGTH))
    const length = possible?.find((length) => all.has(text.slice(at, at + length)))
    if (length === undefined) continue
    // A secret that overlaps the previous one is masked with it.
    if (at >= done) clean += `${text.slice(done, at)}***`
    done = Math.max(done, at + length)
  }
  return clean + text.slice(done)
}

/** Masks and cuts a text; removes a partial secret at the cut. */
function masked(text: string, secrets: Secrets, max = MAX_TEXT_LENGTH): string {
  if (max === 0) return ''
  const clean = withoutEach(text.slice(0, max), secrets)
  return text.length > max ? withoutBeginning(clean, secrets) : clean
}

function withoutBeginning(text: string, { all }: Secrets): string {
  const startOf = (secret: string): number => {
    for (let length = Math.min(secret.length - 1, text.length); length > 0; length -= 1)
      if (text.endsWith(secret.slice(0, length))) return length
    return 0
  }
  return text.slice(0, text.length - Math.max(0, ...Array.from(all, startOf)))
}

/** The parts of a key: those between bars, or all values of a service account's file. */
function partsOf(key: string): readonly string[] {
  if (!key.startsWith('{')) return key.split('|')
  return Object.values(objectIn(parsed(key))).filter((part) => typeof part === 'string')
}
