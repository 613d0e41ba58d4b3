import { LOG_IN_AGAIN } from '../../../shared/log-in-again.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Settings } from '../../settings/settings.ts'
import { passkeyStore } from '../../store/accounts/passkeys.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Actor } from './identity.ts'

const RECENT_MINUTES = 15

/**
 * Requires a recent login before the login methods of an account change (docs/reference/accounts.md#recent-login).
 */
export interface RecentLogin {
  /**
   * Throws if the last login is too long ago and the account has a password or a passkey to log in with. Exempts the
   * command line and the desktop's own window.
   */
  require(actor: Actor): Promise<void>
  /**
   * For calls that otherwise require the password: if the account has none, requires a recent login and rejects
   * access tokens, which do not grant full access.
   */
  requireWithoutPassword(actor: Actor): Promise<void>
}

type RecentLoginDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

export function createRecentLogin({ db, clock, settings }: RecentLoginDeps): RecentLogin {
  const canLogIn = async ({ id, password }: UserRow) =>
    (password !== '' && settings.get('PasswordLoginEnabled')) || (await passkeyStore(db).countOf(id)) > 0
  // A login dated far in the future, by a clock that was ahead, is not recent.
  const isRecent = ({ signedInAt }: Actor) => Math.abs(unixSeconds(clock) - signedInAt) <= RECENT_MINUTES * 60
  const require: RecentLogin['require'] = async (actor) => {
    // The shell and the desktop's own window are local and have no login.
    if (actor.via === 'shell' || actor.isDesktop || isRecent(actor)) return
    const user = await userStore(db).byId(actor.id)
    if (user && (await canLogIn(user))) throw refuse('forbidden', 'auth.again', {}, { code: LOG_IN_AGAIN })
  }
  return {
    require,
    async requireWithoutPassword(actor) {
      const user = await userStore(db).byId(actor.id)
      if (user?.password !== '') return
      if (actor.via === 'access-token') throw refuse('forbidden', 'auth.in_person')
      await require(actor)
    },
  }
}
