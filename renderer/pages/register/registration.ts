import { passwordProblem, usernameProblem } from '../../components/new-account.ts'
import type { TextKey } from '../../i18n.ts'

/** What is entered to make an account; mail address and code only where the gateway asks for them. */
export type Registration = Readonly<{
  username: string
  password: string
  password2: string
  email: string
  code: string
}>

/** A field of the form. */
export type RegistrationField = keyof Registration

/** What is wrong with which field, in words. */
export type RegistrationProblems = Readonly<Partial<Record<RegistrationField, string>>>

/** Before anything is entered. */
export const nothingEntered: Registration = { username: '', password: '', password2: '', email: '', code: '' }

/**
 * Checks as the gateway does (docs/reference/accounts.md#registration); `needsEmail` where an address must be confirmed,
 * `needsPassword` where no passkey takes its place.
 */
export function problemsIn(
  entered: Registration,
  needsEmail: boolean,
  needsPassword: boolean,
): readonly (readonly [RegistrationField, TextKey])[] {
  const { username, password, password2, email, code } = entered
  const found: readonly (readonly [RegistrationField, TextKey | false | undefined])[] = [
    ['username', usernameProblem(username, 'register.needUsername')],
    ['password', needsPassword && passwordProblem(password, 'register.pw_short')],
    ['password2', needsPassword && password2 !== password && 'pw.mismatch'],
    ['email', needsEmail && email.trim() === '' && 'email.need'],
    ['code', needsEmail && code.trim() === '' && 'email.need_code'],
  ]
  return found.flatMap(([field, key]) => (key ? [[field, key] as const] : []))
}

/** Which field each refusal of the gateway is about. */
export const refusals: readonly (readonly [RegistrationField, readonly TextKey[]])[] = [
  ['username', ['register.exists', 'setup.user_len', 'setup.user_chars']],
  ['password', ['register.pw_short', 'setup.pw_len', 'setup.pw_long']],
  ['password2', ['pw.mismatch']],
  ['email', ['email.invalid', 'email.domain', 'email.alias', 'email.taken']],
  ['code', ['code.wrong']],
]
