import type { LoginMethod } from '../../../shared/api/security.ts'
import type { LoginAnswer, SignedIn } from '../../../shared/api/user.ts'
import type { LoginGate } from '../../accounts/login/login-gate.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { ApiCaller } from '../actor.ts'

/** Logs in a user after the first factor: starts a session, or requests the second factor. */
export type LetIn = (caller: ApiCaller, user: UserRow, method: LoginMethod) => Promise<LoginAnswer>

/** The last step of every login (docs/reference/accounts.md#two-factors). */
export const createLetIn =
  (loginGate: Pick<LoginGate, 'admits'>): LetIn =>
  async (caller, user, method) => {
    if (!(await loginGate.admits(user, method, caller, caller.browserMark.make))) return { require_2fa: true }
    await caller.signIn(user)
    return signedIn(user)
  }

/** The response to a login, which contains no other columns. */
export const signedIn = ({ id, username, display_name, role, status, group }: UserRow): SignedIn => ({
  id,
  username,
  display_name,
  role,
  status,
  group,
})
