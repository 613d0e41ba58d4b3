import { passwordProblem, usernameProblem } from '../../components/new-account.ts'
import type { TextKey } from '../../i18n.ts'

export type RootAccount = Readonly<{ username: string; password: string; confirmPassword: string }>

export type RootProblems = Partial<Record<keyof RootAccount, TextKey>>

/** Initial values; also sent if an administrator exists already. */
export const noRoot: RootAccount = { username: '', password: '', confirmPassword: '' }

/** Validates by the gateway's rules (docs/reference/accounts.md#first-setup). */
export function problemsOf({ username, password, confirmPassword }: RootAccount): RootProblems {
  const problems: RootProblems = {}
  const ofName = usernameProblem(username, 'setup.need_user')
  if (ofName) problems.username = ofName
  const ofPassword = passwordProblem(password, 'setup.pw_len')
  if (ofPassword) problems.password = ofPassword
  if (confirmPassword !== password) problems.confirmPassword = 'pw.mismatch'
  return problems
}
