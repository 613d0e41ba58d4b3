import type { SessionView } from '../../../shared/api/security.ts'
import { userStatus } from '../../../shared/enums.ts'
import { type Clock, unixSeconds } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomSecret, sha256 } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import { inSteps } from '../../base/pace.ts'
import { SESSION_ID, sessionStore } from '../../store/accounts/sessions.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { Db } from '../../store/sqlite/database.ts'

const DAY = 86_400
const SLIDING = 30 * DAY
const WRITE_EVERY = 60
/** Max sessions removed per statement. */
const MAX_AT_ONCE = 1000

/** The `data` column of a session of the desktop's own window. */
const DESKTOP = '{"desktop":true}'

/** Max lifetime of a session in seconds; also the cookie's Max-Age. */
export const SESSION_SECONDS = 90 * DAY

/** Where a session was started, shown to its owner. */
export type Device = Readonly<{ ip: string; userAgent: string }>

/**
 * `isDesktop`: whether the session belongs to the desktop's own window, started by a ticket. `signedInAt`: time of the
 * login it derives from, in unix seconds; defaults to now.
 */
export type SignInKind = Readonly<{ isDesktop?: boolean; signedInAt?: number }>

/**
 * `id` is public; `signedInAt` is in unix seconds; `isDesktop` means that the session belongs to the desktop's own
 * window and was started by a ticket.
 */
type FoundSession = Readonly<{ id: string; userId: number; signedInAt: number; isDesktop: boolean }>

export interface Sessions {
  /**
   * Starts a session and returns its secret, which only the cookie holds. Throws if the account is no longer active or
   * its password has changed since it was checked, so a login that races a password change gets no session.
   */
  start(user: Readonly<{ id: number; password: string }>, from: Device & SignInKind): Promise<string>
  /** Returns a live session and extends it; undefined if there is none. */
  find(secret: string): Promise<FoundSession | undefined>
  end(secret: string): Promise<void>
  listOf(userId: number, secret: string | undefined): Promise<SessionView[]>
  endOne(userId: number, id: string): Promise<void>
  endOthers(userId: number, secret: string | undefined): Promise<void>
  /** Whether a live session of the user was started from this address. */
  knows(userId: number, ip: string): Promise<boolean>
  /** Deletes expired sessions in steps until the signal aborts; returns how many. */
  cleanUp(signal?: AbortSignal): Promise<number>
}

/**
 * Server-side sessions: 32 random bytes in the cookie, their SHA-256 in the table; they end 30 days after the last use,
 * at most 90 days after login (docs/reference/accounts.md#sessions). The last use is written at most once a minute.
 */
export function createSessions({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Sessions {
  const store = sessionStore(db)
  return {
    async start({ id, password }, { ip, userAgent, isDesktop = false, signedInAt }) {
      const secret = randomSecret()
      const now = unixSeconds(clock)
      const signedInTime = signedInAt ?? now
      const row = {
        id_hash: sha256(secret),
        user_id: id,
        ip,
        user_agent: userAgent.slice(0, 300),
        ...(isDesktop && { data: DESKTOP }),
        created_at: signedInTime,
        last_seen_at: now,
        expires_at: expiryOf(signedInTime, now),
      }
      await db.transaction().execute(async (transaction) => {
        const isSame = await userStore(transaction).patch(id, { password }, { password, status: userStatus.active })
        if (!isSame) throw refuse('forbidden', 'login.invalid')
        await sessionStore(transaction).add(row)
      })
      return secret
    },
    async find(secret) {
      const session = await store.byHash(sha256(secret))
      const now = unixSeconds(clock)
      if (!session?.user_id || session.expires_at <= now) return undefined
      if (now - session.last_seen_at >= WRITE_EVERY) {
        // A full disk must not log users out.
        await store.touch(session.id_hash, now, expiryOf(session.created_at, now)).catch((error: unknown) => {
          log.warn('the last use of a session could not be written', { error })
        })
      }
      return {
        id: idOf(session.id_hash),
        userId: session.user_id,
        signedInAt: session.created_at,
        isDesktop: session.data === DESKTOP,
      }
    },
    async end(secret) {
      await store.remove(sha256(secret))
    },
    async listOf(userId, secret) {
      const current = secret && sha256(secret)
      const rows = await store.livingOf(userId, unixSeconds(clock))
      return rows.map(({ id_hash, ip, user_agent, created_at, last_seen_at }) => ({
        id: idOf(id_hash),
        ip,
        user_agent,
        created_at,
        last_seen_at,
        is_current: id_hash === current,
      }))
    },
    endOne: (userId, id) => store.removeById(userId, id),
    endOthers: (userId, secret) => store.removeOthers(userId, sha256(secret ?? '')),
    knows: (userId, ip) => store.knows(userId, ip, unixSeconds(clock)),
    async cleanUp(signal) {
      const now = unixSeconds(clock)
      return inSteps({ clock, max: MAX_AT_ONCE, signal }, (limit) => store.removeExpired(now, limit))
    },
  }
}

const expiryOf = (signedInTime: number, now: number): number => Math.min(now + SLIDING, signedInTime + SESSION_SECONDS)

/** The public id of a session; the cookie cannot be derived from it. */
const idOf = (hash: string): string => hash.slice(0, SESSION_ID)
