import { passwordProblem, usernameProblem } from '../../components/new-account.ts'
import type { TextKey } from '../../i18n.ts'

/** The administrator to be made. */
export type RootAccount = Readonly<{ username: string; password: string; confirmPassword: string }>

/** What is wrong with which field. */
export type RootProblems = Partial<Record<keyof RootAccount, TextKey>>

/** Before anything is typed; also what is sent when an administrator exists already. */
export const noRoot: RootAccount = { username: '', password: '', confirmPassword: '' }

/** Checks as the gateway does (docs/reference/accounts.md#first-setup). */
export function problemsOf({ username, password, confirmPassword }: RootAccount): RootProblems {
  const problems: RootProblems = {}
  const ofName = usernameProblem(username, 'setup.need_user')
  if (ofName) problems.username = ofName
  const ofPassword = passwordProblem(password, 'setup.pw_len')
  if (ofPassword) problems.password = ofPassword
  if (confirmPassword !== password) problems.confirmPassword = 'pw.mismatch'
  return problems
}
