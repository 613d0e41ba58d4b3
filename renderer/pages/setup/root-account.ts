import type { TextKey } from '../../i18n.ts'

/** The administrator to be made. */
export type RootAccount = Readonly<{ username: string; password: string; confirmPassword: string }>

/** What is wrong with which field. */
export type RootProblems = Partial<Record<keyof RootAccount, TextKey>>

/** Before anything is typed; also what is sent when an administrator exists already. */
export const noRoot: RootAccount = { username: '', password: '', confirmPassword: '' }

/** Checks as the gateway does (docs/reference/accounts.md#first-setup). Lengths count characters as people do. */
export function problemsOf({ username, password, confirmPassword }: RootAccount): RootProblems {
  const problems: RootProblems = {}
  const name = [...username.trim()]
  if (name.length === 0) problems.username = 'setup.need_user'
  else if (name.length > 12) problems.username = 'setup.user_len'
  else if (name.includes('@')) problems.username = 'setup.userAt'
  const { length } = [...password]
  if (length < 8) problems.password = 'setup.pw_len'
  else if (length > 128) problems.password = 'setup.passwordLong'
  if (confirmPassword !== password) problems.confirmPassword = 'pw.mismatch'
  return problems
}
