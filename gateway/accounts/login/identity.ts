import { TWO_FACTORS_REQUIRED } from '../../../shared/api/security.ts'
import { userStatus } from '../../../shared/enums.ts'
import { type GatewayError, refuse } from '../../base/errors.ts'
import { sha256 } from '../../base/ids.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { FactorRule } from '../factors/factor-rule.ts'
import { isRole, requireRole } from '../guards/roles.ts'
import type { Sessions } from './sessions.ts'

/** The user who makes a call. The row is read on each call, so a ban or a demotion takes effect at once. */
export type Actor = Readonly<{
  id: number
  username: string
  role: number
  status: number
  group: string
  /** `shell`: the command line on this machine, which has no session. */
  via: 'session' | 'access-token' | 'shell'
  /** Whether the session belongs to the desktop's own window, that is, was started by a ticket. */
  isDesktop: boolean
  /** Start of the session in unix seconds; 0 if there is no session. */
  signedInAt: number
}>

export type Credentials = Readonly<{
  session: string | undefined
  authorization: string | undefined
  /** The value of `New-Api-User` or `User-Id`. */
  claimedId: string | undefined
}>

/** Requirements of a call. `beforeFactors` also admits users who must have a second factor but have none yet. */
type Requirement = Readonly<{ minRole: number; beforeFactors?: boolean | undefined }>

export interface Identity {
  /**
   * Returns the caller if it meets the requirement. Throws in the order and with the messages of
   * docs/reference/accounts.md#authorization.
   */
  require(credentials: Credentials, requirement: Requirement): Promise<Actor>
  /**
   * Returns the caller if its credentials are valid, else undefined. Requires no user-id header, and throws only for a
   * missing factor.
   */
  visitor(credentials: Credentials, requirement?: Pick<Requirement, 'beforeFactors'>): Promise<Actor | undefined>
}

type Authenticated = Readonly<{ user: UserRow } & Pick<Actor, 'via' | 'isDesktop' | 'signedInAt'>>

type IdentityDeps = Readonly<{
  db: Db
  sessions: Pick<Sessions, 'find'>
  factorRule: Pick<FactorRule, 'isMissing'>
  /** Called with the account of each request as soon as it is known. */
  onIdentified: (accountId: number) => void
}>

/** Roles are read from the database on every call, never from the cookie. */
export function createIdentity({ db, sessions, factorRule, onIdentified }: IdentityDeps): Identity {
  const users = userStore(db)
  /** A live session takes precedence; without one, an access token is accepted. */
  const find = async (credentials: Credentials): Promise<Authenticated | GatewayError> => {
    const session = credentials.session && (await sessions.find(credentials.session))
    if (session) {
      const { userId, isDesktop, signedInAt } = session
      onIdentified(userId)
      const user = await users.byId(userId)
      return user ? { user, via: 'session', isDesktop, signedInAt } : refuse('unauthenticated', 'auth.deactivated')
    }
    const token = credentials.authorization?.replace(/^Bearer /, '').trim()
    if (!token) return refuse('unauthenticated', 'auth.none')
    const user = await users.byAccessToken(sha256(token))
    if (!user) return refuse('unauthenticated', 'auth.bad_token')
    onIdentified(user.id)
    return { user, via: 'access-token', isDesktop: false, signedInAt: 0 }
  }
  const requireFactors = async (actor: Actor, { beforeFactors = false }: Pick<Requirement, 'beforeFactors'>) => {
    if (!beforeFactors && (await factorRule.isMissing(actor)))
      throw refuse('forbidden', 'factor.required', {}, { code: TWO_FACTORS_REQUIRED })
    return actor
  }
  return {
    async require(credentials, requirements) {
      const found = await find(credentials)
      if (found instanceof Error) throw found
      requireClaim(credentials.claimedId, found.user.id)
      if (found.user.status !== userStatus.active) throw refuse('forbidden', 'auth.banned')
      requireRole(found.user, requirements.minRole)
      if (!isComplete(found.user)) throw refuse('forbidden', 'auth.bad_user_info')
      return requireFactors(actorOf(found), requirements)
    },
    async visitor(credentials, requirements = {}) {
      const found = await find(credentials)
      const isValid = !(found instanceof Error) && found.user.status === userStatus.active && isComplete(found.user)
      return isValid ? requireFactors(actorOf(found), requirements) : undefined
    },
  }
}

/**
 * Throws unless the user-id header names the user. This also protects against cross-site requests, which cannot set it.
 * Each fault has its own message.
 */
function requireClaim(claimedId: string | undefined, userId: number): void {
  if (!claimedId) throw refuse('unauthenticated', 'auth.user_header_missing')
  if (!/^\d{1,15}$/.test(claimedId)) throw refuse('unauthenticated', 'auth.user_header_format')
  if (Number(claimedId) !== userId) throw refuse('unauthenticated', 'auth.user_header_mismatch')
}

const isComplete = (user: UserRow): boolean => user.username.trim() !== '' && isRole(user.role)

const actorOf = ({ user, via, isDesktop, signedInAt }: Authenticated): Actor => ({
  id: user.id,
  username: user.username,
  role: user.role,
  status: user.status,
  group: user.group,
  via,
  isDesktop,
  signedInAt,
})
