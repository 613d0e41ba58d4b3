import { LRUCache } from 'lru-cache'
import { sha256 } from '../base/ids.ts'
import type { Passwords } from '../base/passwords.ts'

/** Passwords of which the length is remembered, as whether it is enough, since they were last set or typed here. */
export interface KnownLength extends Passwords {
  /** Whether the password behind a stored hash has so many characters as were asked for; undefined where nobody has typed it since the start. */
  isLong(stored: string): boolean | undefined
}

const REMEMBERED = 1000

/** A hash tells nothing of a password's length: it is told when the password is typed. Nothing of the password is kept. */
export function withKnownLength(passwords: Passwords, min: number): KnownLength {
  const lengths = new LRUCache<string, { isLong: boolean }>({ max: REMEMBERED })
  const note = (stored: string, password: string) =>
    void lengths.set(sha256(stored), { isLong: [...password].length >= min })
  return {
    ...passwords,
    async hash(password) {
      const stored = await passwords.hash(password)
      note(stored, password)
      return stored
    },
    async matches(stored, password, foreign) {
      const isRight = await passwords.matches(stored, password, foreign)
      if (isRight && stored) note(stored, password)
      return isRight
    },
    isLong: (stored) => lengths.get(sha256(stored))?.isLong,
  }
}
