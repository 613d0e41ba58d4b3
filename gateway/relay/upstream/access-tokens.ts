import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import { lruClock } from '../../base/lru-clock.ts'
import type { AccessTokens } from '../providers/provider.ts'

const MOST = 1000
/** A pass is asked for anew when so much of its time is left, in seconds. */
const MARGIN = 300

/** Passes in memory, at most 1,000. Whoever asks while one is being fetched waits for that one; a failure is not kept. */
export function createAccessTokens(clock: Clock): AccessTokens {
  const kept = new LRUCache<string, string>({ max: MOST, ...lruClock(() => clock.monotonic()) })
  const coming = new Map<string, Promise<string>>()
  return {
    token(name, get) {
      const known = kept.get(name)
      if (known !== undefined) return Promise.resolve(known)
      const waiting = coming.get(name)
      if (waiting) return waiting
      const fetched = get()
        .then(({ token, seconds }) => {
          kept.set(name, token, { ttl: Math.max(1, Math.floor(Math.max(seconds - MARGIN, seconds / 2) * 1000)) })
          return token
        })
        .finally(() => coming.delete(name))
      coming.set(name, fetched)
      return fetched
    },
  }
}
