import type { SignInWay } from '../../../shared/api/security.ts'
import type { LoginAnswer, SignedIn } from '../../../shared/api/user.ts'
import type { Entrance } from '../../accounts/login/login-gate.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { ApiCaller } from '../actor.ts'

/** Lets somebody in who has shown the first factor: a session, or the question for the second one. */
export type LetIn = (caller: ApiCaller, user: UserRow, way: SignInWay) => Promise<LoginAnswer>

/** The last step of every call that logs in (docs/reference/accounts.md#two-factors). */
export const createLetIn =
  (entrance: Pick<Entrance, 'admits'>): LetIn =>
  async (caller, user, way) => {
    if (!(await entrance.admits(user, way, caller, caller.browserMark.make))) return { require_2fa: true }
    await caller.signIn(user)
    return signedIn(user)
  }

/** What signing in answers; nothing else of the row leaves. */
export const signedIn = ({ id, username, display_name, role, status, group }: UserRow): SignedIn => ({
  id,
  username,
  display_name,
  role,
  status,
  group,
})
