import { flawOfUsername } from '../../shared/username.ts'
import type { TextKey } from '../i18n.ts'

/** What is wrong with the name of an account to be made, as the gateway sees it. Characters count as people count them. */
export function usernameProblem(username: string, ifMissing: TextKey): TextKey | undefined {
  const name = username.trim()
  if (name === '') return ifMissing
  const flaw = flawOfUsername(name)
  return flaw === 'setup.user_chars' && name.includes('@') ? 'setup.userAt' : flaw
}

/** What is wrong with a password to be set: 8 to 128 characters. */
export function passwordProblem(password: string, ifShort: TextKey): TextKey | undefined {
  const { length } = [...password]
  if (length < 8) return ifShort
  return length > 128 ? 'setup.passwordLong' : undefined
}
