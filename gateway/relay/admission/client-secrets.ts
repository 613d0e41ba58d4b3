import { LRUCache } from 'lru-cache'
import { type Clock, lruLife, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomKey, sha256 } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'

/** What a client secret opens: sessions of a token, set up in this way. */
export type SecretGrant = Readonly<{ tokenId: number; session: JsonObject }>

/**
 * Client secrets (OpenAI's API reference, "Realtime, client secrets"): what a server gives a browser in place of its API
 * key, good for realtime sessions of that key alone and for so many seconds. They are known to this process alone: a
 * restart forgets them. Neither the key nor the secret itself is kept.
 */
export interface ClientSecrets {
  /** A secret and until when it is good, in unix seconds. Refuses a token that has too many. */
  issue(grant: SecretGrant, seconds: number): Readonly<{ value: string; expiresAt: number }>
  /** What a secret opens; undefined for one that is unknown or over. */
  grantOf(value: string): SecretGrant | undefined
}

/** Secrets of one token at a time, and characters of the sessions of all. */
const MAX_OF_TOKEN = 1000
const MAX_SIZE = 64 * 1024 * 1024
const MAX_LIFE_MS = 7_200_000
const ROOM_FOR_ONE = 256

const PREFIX = 'ek_'
const LENGTH = 48
const SECRET = /^ek_[0-9A-Za-z]{48}$/

/** Secrets in memory, by their SHA-256. */
export function createClientSecrets(clock: Clock): ClientSecrets {
  const counts = new Map<number, number>()
  const count = (tokenId: number, more: number) => {
    const now = (counts.get(tokenId) ?? 0) + more
    if (now > 0) counts.set(tokenId, now)
    else counts.delete(tokenId)
  }
  const issued = new LRUCache<string, SecretGrant>({
    maxSize: MAX_SIZE,
    sizeCalculation: ({ session }) => ROOM_FOR_ONE + JSON.stringify(session).length,
    dispose: ({ tokenId }) => count(tokenId, -1),
    ...lruLife(MAX_LIFE_MS, () => clock.monotonic()),
  })
  return {
    issue(grant, seconds) {
      const { tokenId } = grant
      if ((counts.get(tokenId) ?? 0) >= MAX_OF_TOKEN) issued.purgeStale()
      if ((counts.get(tokenId) ?? 0) >= MAX_OF_TOKEN)
        throw refuse('limited', 'relay.tooManySecrets', { count: MAX_OF_TOKEN }, { code: 'rate_limit_exceeded' })
      const value = PREFIX + randomKey(LENGTH)
      issued.set(sha256(value), grant, { ttl: seconds * 1000 - 1 })
      count(tokenId, 1)
      return { value, expiresAt: unixSeconds(clock) + seconds }
    },
    grantOf: (value) => (isSecret(value) ? issued.get(sha256(value)) : undefined),
  }
}

/** Whether a key is a client secret. */
export const isSecret = (key: string): boolean => SECRET.test(key)
