import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomKey, sha256 } from '../../base/ids.ts'
import { type JsonObject, objectIn, parsed } from '../../base/json/json.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import { shareOf } from '../../limits/request-limits.ts'

export type SecretGrant = Readonly<{ keyHash: string; session: JsonObject }>

/** The account and the key that a secret replaces; the secret is valid only while the key is. */
type SecretOwner = Readonly<{ userId: number; keyHash: string; isGuest: boolean }>

/**
 * Client secrets (OpenAI's API reference, "Realtime, client secrets"): short-lived keys that a server gives to a
 * browser in place of its API key, valid only for realtime sessions of that key. They are in the memory of this process
 * and lost on restart; key and secret are stored only as hashes.
 */
export interface ClientSecrets {
  /** `expiresAt` is in unix seconds. Throws if the account, or the gateway, has too many. */
  issue(owner: SecretOwner, session: JsonObject, seconds: number): Readonly<{ value: string; expiresAt: number }>
  grantOf(value: string): SecretGrant | undefined
}

/** An issued secret; its session is JSON text, which takes up to twenty times less memory than objects. */
type Issued = SecretOwner & Readonly<{ text: string }>

/** Max characters of an account's sessions; each secret also counts as a fixed number. */
const MAX_PER_ACCOUNT = 1024 * 1024
const MAX_TOTAL_CHARACTERS = 64 * MAX_PER_ACCOUNT
const CHARACTERS_PER_SECRET = 1024
const MAX_LIFE_MS = 7_200_000

const PREFIX = 'ek_'
const LENGTH = 48
const SECRET = /^ek_[0-9A-Za-z]{48}$/

/** Valid secrets are never evicted: a new one over the limit is refused. */
export function createClientSecrets(clock: Clock): ClientSecrets {
  const sizes = new Map<number, number>()
  let all = 0
  const count = (userId: number, more: number) => {
    all += more
    const now = (sizes.get(userId) ?? 0) + more
    if (now > 0) sizes.set(userId, now)
    else sizes.delete(userId)
  }
  const sizeOf = ({ text }: Issued) => CHARACTERS_PER_SECRET + text.length
  const issued = new LRUCache<string, Issued>({
    ...upTo(MAX_TOTAL_CHARACTERS / CHARACTERS_PER_SECRET),
    dispose: (secret) => count(secret.userId, -sizeOf(secret)),
    ...lruLife(MAX_LIFE_MS, () => clock.monotonic()),
  })
  const fits = (owner: SecretOwner, size: number) =>
    (sizes.get(owner.userId) ?? 0) + size <= shareOf(owner, MAX_PER_ACCOUNT) && all + size <= MAX_TOTAL_CHARACTERS
  return {
    issue(owner, session, seconds) {
      const secret = { ...owner, text: JSON.stringify(session) }
      const size = sizeOf(secret)
      if (!fits(owner, size)) issued.purgeStale()
      if (!fits(owner, size)) throw refuse('limited', 'relay.tooManySecrets', {}, { code: 'rate_limit_exceeded' })
      const value = PREFIX + randomKey(LENGTH)
      issued.set(sha256(value), secret, { ttl: seconds * 1000 - 1 })
      count(owner.userId, size)
      return { value, expiresAt: unixSeconds(clock) + seconds }
    },
    grantOf(value) {
      const secret = isSecret(value) ? issued.get(sha256(value)) : undefined
      return secret && { keyHash: secret.keyHash, session: objectIn(parsed(secret.text)) }
    },
  }
}

export const isSecret = (key: string): boolean => SECRET.test(key)
