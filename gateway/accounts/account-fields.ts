import { flawOfUsername } from '../../shared/username.ts'
import { refuse } from '../base/errors.ts'

const PASSWORD = { min: 8, max: 128 }

/**
 * Refuses a username that is too long, or that could pass for a mail address or, by what nobody sees, for another name.
 * Characters count as people count them.
 */
export function checkUsername(username: string): void {
  const flaw = flawOfUsername(username)
  if (flaw) throw refuse('invalid', flaw)
}

/** Refuses a password of fewer than 8 or more than 128 characters. */
export function checkPassword(password: string): void {
  const length = [...password].length
  if (length < PASSWORD.min) throw refuse('invalid', 'setup.pw_len')
  if (length > PASSWORD.max) throw refuse('invalid', 'setup.pw_long')
}
