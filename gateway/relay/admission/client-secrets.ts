import { LRUCache } from 'lru-cache'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomKey, sha256 } from '../../base/ids.ts'
import { type JsonObject, objectIn, parsed } from '../../base/json/json.ts'
import { lruLife, upTo } from '../../base/lru.ts'

/** What a client secret opens: sessions of the key with this hash, set up in this way. */
export type SecretGrant = Readonly<{ keyHash: string; session: JsonObject }>

/** For whom a secret is made: it is good while this key is. */
type SecretOwner = Readonly<{ userId: number; keyHash: string }>

/**
 * Client secrets (OpenAI's API reference, "Realtime, client secrets"): what a server gives a browser in place of its API
 * key, good for realtime sessions of that key alone and for so many seconds. They are known to this process alone: a
 * restart forgets them. Of the key and of the secret itself only hashes are kept.
 */
export interface ClientSecrets {
  /** A secret and until when it is good, in unix seconds. Refuses an account that has too many, and all once there are. */
  issue(owner: SecretOwner, session: JsonObject, seconds: number): Readonly<{ value: string; expiresAt: number }>
  /** What a secret opens; undefined for one that is unknown or over. */
  grantOf(value: string): SecretGrant | undefined
}

/** Sessions are kept as JSON texts: as objects they may take twenty times as much. */
type Issued = SecretOwner & Readonly<{ text: string }>

/** Characters of the sessions of one account, and of all; each secret counts for some besides. */
const MAX_OF_ACCOUNT = 1024 * 1024
const MAX_OF_ALL = 64 * MAX_OF_ACCOUNT
const ROOM_FOR_ONE = 1024
const MAX_LIFE_MS = 7_200_000

const PREFIX = 'ek_'
const LENGTH = 48
const SECRET = /^ek_[0-9A-Za-z]{48}$/

/** Secrets in memory, by their SHA-256. Who would take more room than is left is refused; none that is good makes room. */
export function createClientSecrets(clock: Clock): ClientSecrets {
  const sizes = new Map<number, number>()
  let all = 0
  const count = (userId: number, more: number) => {
    all += more
    const now = (sizes.get(userId) ?? 0) + more
    if (now > 0) sizes.set(userId, now)
    else sizes.delete(userId)
  }
  const sizeOf = ({ text }: Issued) => ROOM_FOR_ONE + text.length
  const issued = new LRUCache<string, Issued>({
    ...upTo(MAX_OF_ALL / ROOM_FOR_ONE),
    dispose: (secret) => count(secret.userId, -sizeOf(secret)),
    ...lruLife(MAX_LIFE_MS, () => clock.monotonic()),
  })
  const hasRoom = (userId: number, size: number) =>
    (sizes.get(userId) ?? 0) + size <= MAX_OF_ACCOUNT && all + size <= MAX_OF_ALL
  return {
    issue(owner, session, seconds) {
      const secret = { ...owner, text: JSON.stringify(session) }
      const size = sizeOf(secret)
      if (!hasRoom(owner.userId, size)) issued.purgeStale()
      if (!hasRoom(owner.userId, size))
        throw refuse('limited', 'relay.tooManySecrets', {}, { code: 'rate_limit_exceeded' })
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

/** Whether a key is a client secret. */
export const isSecret = (key: string): boolean => SECRET.test(key)
