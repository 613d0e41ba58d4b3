import type { SessionView } from '../../shared/api/security.ts'
import { userStatus } from '../../shared/enums.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomSecret, sha256 } from '../base/ids.ts'
import type { Logger } from '../base/logger.ts'
import { inSteps } from '../base/pace.ts'
import type { Db } from '../store/database.ts'
import { SESSION_ID, sessionStore } from '../store/sessions.ts'
import { userStore } from '../store/users.ts'

const DAY = 86_400
const SLIDING = 30 * DAY
const WRITE_EVERY = 60
/** Sessions that one statement removes. */
const MAX_AT_ONCE = 1000

/** What stands in a session of the desktop's own window. */
const DESKTOP = '{"desktop":true}'

/** The longest a session may live, in seconds: what the cookie's Max-Age says. */
export const SESSION_SECONDS = 90 * DAY

/** Where a session begins, for its owner to recognise. */
export type Device = Readonly<{ ip: string; userAgent: string }>

/** Whether the desktop's own window has it, by a ticket; and when the login was that it comes from, in unix seconds: now unless told. */
export type SignInKind = Readonly<{ isDesktop?: boolean; signedInAt?: number }>

/** Whose session it is, since when, in unix seconds, and whether the desktop's own window has it, by a ticket. */
type FoundSession = Readonly<{ userId: number; signedInAt: number; isDesktop: boolean }>

export interface Sessions {
  /**
   * Begins a session and answers its secret, which only the cookie holds. Refuses where the account is not active any more, or
   * its stored password no longer the one that was looked at: who logs in while it is changed has no session of the old one.
   */
  start(user: Readonly<{ id: number; password: string }>, place: Device & SignInKind): Promise<string>
  /** A living session; undefined for anything else. Keeps it alive. */
  find(secret: string): Promise<FoundSession | undefined>
  end(secret: string): Promise<void>
  /** Ends every session of a user: at a ban, a deletion, a change of role or password. */
  revokeAll(userId: number): Promise<void>
  /** The living sessions of a user, the last used first, and which of them `secret` is. */
  listOf(userId: number, secret: string | undefined): Promise<SessionView[]>
  /** Ends one session of a user by its id. */
  endOne(userId: number, id: string): Promise<void>
  /** Ends all sessions of a user but the one of a secret. */
  endOthers(userId: number, secret: string | undefined): Promise<void>
  /** Whether a living session of the user began at this address. */
  knows(userId: number, ip: string): Promise<boolean>
  /** Removes what has expired, in steps, up to the signal, and answers how much; called now and then. */
  cleanUp(signal?: AbortSignal): Promise<number>
}

/**
 * Sessions on the server: 32 random bytes in the cookie, their SHA-256 in the table, 30 days after the last use and 90
 * days after sign-in at most (docs/reference/accounts.md#sessions). The last use is written at most once a minute.
 */
export function createSessions({ db, clock, log }: { db: Db; clock: Clock; log: Logger }): Sessions {
  const store = sessionStore(db)
  return {
    async start({ id, password }, { ip, userAgent, isDesktop = false, signedInAt }) {
      const secret = randomSecret()
      const now = unixSeconds(clock)
      const began = signedInAt ?? now
      const row = {
        id_hash: sha256(secret),
        user_id: id,
        ip,
        user_agent: userAgent.slice(0, 300),
        ...(isDesktop && { data: DESKTOP }),
        created_at: began,
        last_seen_at: now,
        expires_at: endOf(began, now),
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
        // A disk that takes no writes must not sign people out.
        await store.touch(session.id_hash, now, endOf(session.created_at, now)).catch((error: unknown) => {
          log.warn('the last use of a session could not be written', { error })
        })
      }
      return { userId: session.user_id, signedInAt: session.created_at, isDesktop: session.data === DESKTOP }
    },
    async end(secret) {
      await store.remove(sha256(secret))
    },
    async revokeAll(userId) {
      await store.removeOf(userId)
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

const endOf = (began: number, now: number): number => Math.min(now + SLIDING, began + SESSION_SECONDS)

/** What a session is called where it is listed: it leads to no cookie. */
const idOf = (hash: string): string => hash.slice(0, SESSION_ID)
