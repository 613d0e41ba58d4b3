import { userStatus } from '../../shared/enums.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import { isRole, requireRole } from './roles.ts'
import type { Sessions } from './sessions.ts'

/** Who makes a call, read from the user's row at each call: a ban or a demotion counts at once. */
export type Actor = Readonly<{
  id: number
  username: string
  role: number
  status: number
  group: string
  via: 'session' | 'access-token'
}>

/** What a call shows of itself: the session cookie's value and two headers. */
export type Credentials = Readonly<{
  session: string | undefined
  authorization: string | undefined
  /** The value of `New-Api-User` or `User-Id`. */
  claimedId: string | undefined
}>

/** The check of docs/reference/accounts.md#the-check-on-every-call on every protected route. */
export interface Identity {
  /**
   * The caller with at least this role; refuses in the order and with the messages of
   * docs/reference/accounts.md#the-check-on-every-call.
   */
  require(credentials: Credentials, leastRole: number): Promise<Actor>
  /** The caller when there is a good one, else undefined; asks for no user-id header and never refuses. */
  visitor(credentials: Credentials): Promise<Actor | undefined>
}

type Found = Readonly<{ user: UserRow; via: Actor['via'] }>

/** Builds the check over the live rows of users and sessions; roles never come from the cookie. */
export function createIdentity({ db, sessions }: { db: Db; sessions: Sessions }): Identity {
  const users = userStore(db)
  /** The session wins; a call without a living one may show an access token. */
  const find = async (credentials: Credentials): Promise<Found | GatewayError> => {
    const userId = credentials.session && (await sessions.userOf(credentials.session))
    if (userId) {
      const user = await users.byId(userId)
      return user ? { user, via: 'session' } : refuse('unauthenticated', 'auth.deactivated')
    }
    const token = credentials.authorization?.replace(/^Bearer /, '').trim()
    if (!token) return refuse('unauthenticated', 'auth.none')
    const user = await users.byAccessToken(sha256(token))
    return user ? { user, via: 'access-token' } : refuse('unauthenticated', 'auth.bad_token')
  }
  return {
    async require(credentials, leastRole) {
      const found = await find(credentials)
      if (found instanceof Error) throw found
      requireClaim(credentials.claimedId, found.user.id)
      if (found.user.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
      requireRole(found.user, leastRole)
      if (!isWhole(found.user)) throw refuse('forbidden', 'auth.bad_user_info')
      return actorOf(found)
    },
    async visitor(credentials) {
      const found = await find(credentials)
      const isGood = !(found instanceof Error) && found.user.status === userStatus.active && isWhole(found.user)
      return isGood ? actorOf(found) : undefined
    },
  }
}

/** The header doubles as protection from other sites, which cannot set it; each fault has its own message. */
function requireClaim(claimed: string | undefined, userId: number): void {
  if (!claimed) throw refuse('unauthenticated', 'auth.user_header_missing')
  if (!/^\d{1,15}$/.test(claimed)) throw refuse('unauthenticated', 'auth.user_header_format')
  if (Number(claimed) !== userId) throw refuse('unauthenticated', 'auth.user_header_mismatch')
}

const isWhole = (user: UserRow): boolean => user.username.trim() !== '' && isRole(user.role)

const actorOf = ({ user, via }: Found): Actor => ({
  id: user.id,
  username: user.username,
  role: user.role,
  status: user.status,
  group: user.group,
  via,
})
