import { TWO_FACTORS_REQUIRED } from '../../shared/api/security.ts'
import { userStatus } from '../../shared/enums.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'
import type { FactorRule } from './factor-rule.ts'
import { isRole, requireRole } from './roles.ts'
import type { Sessions } from './sessions.ts'

/** Who makes a call, read from the user's row at each call: a ban or a demotion counts at once. */
export type Actor = Readonly<{
  id: number
  username: string
  role: number
  status: number
  group: string
  /** `shell`: the command line on this machine, which has no session. */
  via: 'session' | 'access-token' | 'shell'
  /** Whether the session is the desktop's own window's, begun by a ticket. */
  isDesktop: boolean
  /** When the session began, in unix seconds; 0 without one. */
  signedInAt: number
}>

/** What a call shows of itself: the session cookie's value and two headers. */
export type Credentials = Readonly<{
  session: string | undefined
  authorization: string | undefined
  /** The value of `New-Api-User` or `User-Id`. */
  claimedId: string | undefined
}>

/** What a call asks of its caller. `beforeFactors` is open to who must have a second factor and has none yet. */
export type Asked = Readonly<{ minRole: number; beforeFactors?: boolean | undefined }>

/** The check of docs/reference/accounts.md#the-check-on-every-call on every protected route. */
export interface Identity {
  /**
   * The caller with at least this role; refuses in the order and with the messages of
   * docs/reference/accounts.md#the-check-on-every-call.
   */
  require(credentials: Credentials, asked: Asked): Promise<Actor>
  /** The caller when there is a good one, else undefined; asks for no user-id header, and refuses for a missing factor alone. */
  visitor(credentials: Credentials, asked?: Pick<Asked, 'beforeFactors'>): Promise<Actor | undefined>
}

type Found = Readonly<{ user: UserRow } & Pick<Actor, 'via' | 'isDesktop' | 'signedInAt'>>

type IdentityDeps = Readonly<{
  db: Db
  sessions: Pick<Sessions, 'find'>
  factorRule: Pick<FactorRule, 'isMissing'>
}>

/** Builds the check over the live rows of users and sessions; roles never come from the cookie. */
export function createIdentity({ db, sessions, factorRule }: IdentityDeps): Identity {
  const users = userStore(db)
  /** The session wins; a call without a living one may show an access token. */
  const find = async (credentials: Credentials): Promise<Found | GatewayError> => {
    const session = credentials.session && (await sessions.find(credentials.session))
    if (session) {
      const { userId, isDesktop, signedInAt } = session
      const user = await users.byId(userId)
      return user ? { user, via: 'session', isDesktop, signedInAt } : refuse('unauthenticated', 'auth.deactivated')
    }
    const token = credentials.authorization?.replace(/^Bearer /, '').trim()
    if (!token) return refuse('unauthenticated', 'auth.none')
    const user = await users.byAccessToken(sha256(token))
    return user
      ? { user, via: 'access-token', isDesktop: false, signedInAt: 0 }
      : refuse('unauthenticated', 'auth.bad_token')
  }
  const requireFactors = async (actor: Actor, { beforeFactors = false }: Pick<Asked, 'beforeFactors'>) => {
    if (!beforeFactors && (await factorRule.isMissing(actor)))
      throw refuse('forbidden', 'factor.required', {}, { code: TWO_FACTORS_REQUIRED })
    return actor
  }
  return {
    async require(credentials, asked) {
      const found = await find(credentials)
      if (found instanceof Error) throw found
      requireClaim(credentials.claimedId, found.user.id)
      if (found.user.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
      requireRole(found.user, asked.minRole)
      if (!isWhole(found.user)) throw refuse('forbidden', 'auth.bad_user_info')
      return requireFactors(actorOf(found), asked)
    },
    async visitor(credentials, asked = {}) {
      const found = await find(credentials)
      const isGood = !(found instanceof Error) && found.user.status === userStatus.active && isWhole(found.user)
      return isGood ? requireFactors(actorOf(found), asked) : undefined
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

const actorOf = ({ user, via, isDesktop, signedInAt }: Found): Actor => ({
  id: user.id,
  username: user.username,
  role: user.role,
  status: user.status,
  group: user.group,
  via,
  isDesktop,
  signedInAt,
})
