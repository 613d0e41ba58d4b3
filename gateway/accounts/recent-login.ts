import { LOG_IN_AGAIN } from '../../shared/log-in-again.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import { passkeyStore } from '../store/passkeys.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import type { Actor } from './identity.ts'

/** Minutes for which a login proves that it is the person. */
const RECENT_MINUTES = 15

/** Who changes by what an account is opened has shown a moment ago that it is theirs (docs/reference/accounts.md#a-recent-login). */
export interface RecentLogin {
  /** Refuses who has logged in too long ago, where the account has a password or a passkey to show. */
  require(actor: Actor): Promise<void>
  /** For what asks accounts for their password: refuses them where there is none, and an access token, which does not open it all. */
  requireWithoutPassword(actor: Actor): Promise<void>
}

type RecentLoginDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

/** The rule over one database. */
export function createRecentLogin({ db, clock, settings }: RecentLoginDeps): RecentLogin {
  const canShow = async ({ id, password }: UserRow) =>
    (password !== '' && settings.get('PasswordLoginEnabled')) || (await passkeyStore(db).countOf(id)) > 0
  const isRecent = ({ signedInAt }: Actor) => unixSeconds(clock) - signedInAt <= RECENT_MINUTES * 60
  const require: RecentLogin['require'] = async (actor) => {
    // The shell, and the desktop's own window, are at the computer; nobody has logged in there.
    if (actor.via === 'shell' || actor.isDesktop || isRecent(actor)) return
    const user = await userStore(db).byId(actor.id)
    if (user && (await canShow(user))) throw refuse('forbidden', 'auth.again', {}, { code: LOG_IN_AGAIN })
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
