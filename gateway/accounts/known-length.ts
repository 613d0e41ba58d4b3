import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/ids.ts'
import type { Passwords } from '../base/secrets/passwords.ts'

/** Remembers whether passwords reach a minimum length, from the last time each was set or entered in this process. */
export interface KnownLength extends Passwords {
  /**
   * Whether the password behind a stored hash has the minimum length; undefined if it has not been entered since the
   * start, or is no longer remembered.
   */
  isLong(stored: string): boolean | undefined
}

const REMEMBERED = 1000

/**
 * A hash does not reveal the length of its password, so the length is checked when the password is entered. The
 * password itself is not stored.
 */
export function withKnownLength(passwords: Passwords, min: number): KnownLength {
  const lengths = new LRUCache<string, { isLong: boolean }>({ max: REMEMBERED })
  const remember = (stored: string, password: string) =>
    void lengths.set(sha256(stored), { isLong: [...password].length >= min })
  return {
    ...passwords,
    async hash(password) {
      const stored = await passwords.hash(password)
      remember(stored, password)
      return stored
    },
    async matches(stored, password, foreign) {
      const isRight = await passwords.matches(stored, password, foreign)
      if (isRight && stored) remember(stored, password)
      return isRight
    },
    isLong: (stored) => lengths.get(sha256(stored))?.isLong,
  }
}
