import { flawOfUsername } from '../../shared/username.ts'
import type { TextKey } from '../i18n.ts'

/** What is wrong with the name of a new account, by the gateway's rules. Length is in code points. */
export function usernameProblem(username: string, ifMissing: TextKey): TextKey | undefined {
  const name = username.trim()
  if (name === '') return ifMissing
  const flaw = flawOfUsername(name)
  return flaw === 'setup.user_chars' && name.includes('@') ? 'setup.userAt' : flaw
}

/** What is wrong with a new password; it must have 8 to 128 code points. */
export function passwordProblem(password: string, ifShort: TextKey): TextKey | undefined {
  const { length } = [...password]
  if (length < 8) return ifShort
  return length > 128 ? 'setup.passwordLong' : undefined
}
