import { flawOfUsername } from '../../shared/username.ts'
import { refuse } from '../base/errors.ts'

const PASSWORD = { min: 8, max: 128 }

/**
 * Throws if a username is too long, looks like a mail address, or could be mistaken for another name because of
 * invisible or similar characters. Length is counted in code points.
 */
export function checkUsername(username: string): void {
  const flaw = flawOfUsername(username)
  if (flaw) throw refuse('invalid', flaw)
}

export function checkPassword(password: string): void {
  const length = [...password].length
  if (length < PASSWORD.min) throw refuse('invalid', 'setup.pw_len')
  if (length > PASSWORD.max) throw refuse('invalid', 'setup.pw_long')
}
