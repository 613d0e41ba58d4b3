import { passwordProblem, usernameProblem } from '../../components/new-account.ts'
import type { TextKey } from '../../i18n.ts'

/** The registration input; mail address and code only if the gateway requires them. */
export type Registration = Readonly<{
  username: string
  password: string
  password2: string
  email: string
  code: string
}>

export type RegistrationField = keyof Registration

export type RegistrationProblems = Readonly<Partial<Record<RegistrationField, string>>>

export const nothingEntered: Registration = { username: '', password: '', password2: '', email: '', code: '' }

/**
 * Validates by the gateway's rules (docs/reference/accounts.md#registration); `needsEmail` if an address must be
 * verified, `needsPassword` unless a passkey replaces it.
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

/** The field that each of the gateway's refusals belongs to. */
export const refusals: readonly (readonly [RegistrationField, readonly TextKey[]])[] = [
  ['username', ['register.exists', 'setup.user_len', 'setup.user_chars']],
  ['password', ['register.pw_short', 'setup.pw_len', 'setup.pw_long']],
  ['password2', ['pw.mismatch']],
  ['email', ['email.invalid', 'email.domain', 'email.alias', 'email.taken']],
  ['code', ['code.wrong']],
]
