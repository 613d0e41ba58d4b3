import { LRUCache } from 'lru-cache'
import { userStatus } from '../../../shared/enums.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { isSameSecret, randomSecret, sha256 } from '../../base/ids.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { RateWindow } from '../../shared-state/rates.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'

/** The id of a login in the browser, and the verifier only the desktop's window has: 32 random bytes each. */
export type StartedHandover = Readonly<{ id: string; verifier: string }>

/** The window that takes a hand-over; `loopback` is that of the call's `RequestOrigin`. */
type HandoverTaker = StartedHandover & Readonly<{ loopback: boolean }>

/**
 * The account that grants a hand-over, and the start of the granting session in unix seconds. The desktop's session
 * gets the same start, since a hand-over is not a login.
 */
type Grantor = Readonly<{ id: number; signedInAt: number }>

type Granted = Readonly<{ user: UserRow; signedInAt: number }>

/**
 * A login in the system's browser that is handed over to the desktop's window
 * (docs/reference/accounts.md#hand-over-to-the-desktop).
 */
export interface Handovers {
  /** Begins a hand-over, valid for ten minutes. Only the desktop program can call this. */
  begin(): StartedHandover
  /** Grants the hand-over to an account. Throws if it is unknown or granted to another account. */
  grant(id: string, by: Grantor): Promise<void>
  /**
   * Returns the account that granted the hand-over and the start of its session, and consumes the hand-over; undefined
   * if it is not granted yet. A wrong verifier, or a call from another machine, consumes the hand-over too. All invalid
   * calls get the same error.
   */
  take(taker: HandoverTaker): Promise<Granted | undefined>
  /** Cancels the hand-over early; ignores an unknown one. */
  cancel(taker: HandoverTaker): void
}

type HandoverDeps = Readonly<{
  db: Db
  clock: Clock
  /** Limits how often this machine polls. */
  requestRate: RateWindow
}>

const HANDOVER_MINUTES = 10
const MAX_HANDOVERS = 16

/**
 * `password` is the SHA-256 of the stored password hash at the time of the grant: a password change invalidates the
 * hand-over.
 */
type Handover = { verifierHash: string; userId: number | undefined; signedInAt: number; password: string }

/** In-memory, keyed by the SHA-256 of their ids, at most 16 at a time. Lost on restart. */
export function createHandovers({ db, clock, requestRate }: HandoverDeps): Handovers {
  const ttl = lruLife(HANDOVER_MINUTES * 60_000, () => clock.monotonic())
  const handovers = new LRUCache<string, Handover>({ ...upTo(MAX_HANDOVERS), ...ttl })
  /** Returns the hand-over if the call comes from this machine with the right verifier; deletes it otherwise. */
  const owned = ({ id, verifier, loopback }: HandoverTaker): Handover | undefined => {
    const found = handovers.get(sha256(id))
    if (found && loopback && isSameSecret(sha256(verifier), found.verifierHash)) return found
    handovers.delete(sha256(id))
    return undefined
  }
  return {
    begin() {
      const [id, verifier] = [randomSecret(), randomSecret()]
      handovers.set(sha256(id), { verifierHash: sha256(verifier), userId: undefined, signedInAt: 0, password: '' })
      return { id, verifier }
    },
    async grant(id, { id: userId, signedInAt }) {
      const user = await userStore(db).byId(userId)
      const found = handovers.get(sha256(id))
      if (!found || !user || (found.userId !== undefined && found.userId !== userId))
        throw refuse('forbidden', 'handover.gone')
      found.userId = userId
      found.signedInAt = signedInAt
      found.password = sha256(user.password)
    },
    async take(taker) {
      const wait = taker.loopback ? await requestRate.take('') : 0
      if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
      const found = owned(taker)
      if (!found) throw refuse('forbidden', 'handover.gone')
      if (found.userId === undefined) return undefined
      handovers.delete(sha256(taker.id))
      const user = await userStore(db).byId(found.userId)
      const isSame = user?.status === userStatus.active && sha256(user.password) === found.password
      if (!isSame) throw refuse('forbidden', 'handover.gone')
      return { user, signedInAt: found.signedInAt }
    },
    cancel(taker) {
      if (owned(taker)) handovers.delete(sha256(taker.id))
    },
  }
}
