import { LRUCache } from 'lru-cache'
import { userStatus } from '../../shared/enums.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { isSameSecret, randomSecret, sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { RateWindow } from '../shared-state/rates.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'

/** What a login in the browser is known by there, and what the desktop's window alone has: 32 random bytes each. */
export type BegunHandover = Readonly<{ id: string; verifier: string }>

/** Who takes it; `loopback` is what `originOf` says of the call. */
type HandoverTaker = BegunHandover & Readonly<{ loopback: boolean }>

/** Who grants it, and when the session began in which they do, in unix seconds: a hand-over is no login of its own. */
type Granting = Readonly<{ id: number; signedInAt: number }>

/** Whom the window is let in as, and how old their login is. */
type Granted = Readonly<{ user: UserRow; signedInAt: number }>

/** A login in the system's browser that is handed over to the desktop's window (docs/reference/accounts.md#hand-over-to-the-desktop). */
export interface Handovers {
  /** Begins one, good for ten minutes; only the shell can. */
  begin(): BegunHandover
  /** Grants it to an account; refuses one that is not known, and one that another account has. */
  grant(id: string, by: Granting): Promise<void>
  /**
   * Whom it is granted to, and since when they are logged in where they granted it, which uses it up; undefined while it is
   * granted to nobody. A wrong verifier uses it up as well, and all that is not known is refused alike.
   */
  take(taker: HandoverTaker): Promise<Granted | undefined>
  /** Ends it before its time; says nothing of one that is not known. */
  cancel(taker: HandoverTaker): void
}

type HandoverDeps = Readonly<{
  db: Db
  clock: Clock
  /** Counts how often this machine asks. */
  asked: RateWindow
}>

/** Minutes for which one holds. */
const HANDOVER_MINUTES = 10
const MAX = 16

/** `password` is the SHA-256 of what was stored of it when it was granted: a new one ends what the old one opened. */
type Kept = { verifierHash: string; userId: number | undefined; signedInAt: number; password: string }

/** Those of one process, by the SHA-256 of their ids; no more than 16 at a time. A restart forgets them all. */
export function createHandovers({ db, clock, asked }: HandoverDeps): Handovers {
  const life = lruLife(HANDOVER_MINUTES * 60_000, () => clock.monotonic())
  const begun = new LRUCache<string, Kept>({ ...upTo(MAX), ...life })
  /** The one whose verifier is shown on this machine; with a wrong one it is gone. */
  const owned = ({ id, verifier, loopback }: HandoverTaker): Kept | undefined => {
    const found = begun.get(sha256(id))
    if (found && loopback && isSameSecret(sha256(verifier), found.verifierHash)) return found
    begun.delete(sha256(id))
    return undefined
  }
  return {
    begin() {
      const [id, verifier] = [randomSecret(), randomSecret()]
      begun.set(sha256(id), { verifierHash: sha256(verifier), userId: undefined, signedInAt: 0, password: '' })
      return { id, verifier }
    },
    async grant(id, { id: userId, signedInAt }) {
      const user = await userStore(db).byId(userId)
      const found = begun.get(sha256(id))
      if (!found || !user || (found.userId !== undefined && found.userId !== userId))
        throw refuse('forbidden', 'handover.gone')
      found.userId = userId
      found.signedInAt = signedInAt
      found.password = sha256(user.password)
    },
    async take(taker) {
      const wait = taker.loopback ? await asked.take('') : 0
      if (wait > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: wait })
      const found = owned(taker)
      if (!found) throw refuse('forbidden', 'handover.gone')
      if (found.userId === undefined) return undefined
      begun.delete(sha256(taker.id))
      const user = await userStore(db).byId(found.userId)
      const isSame = user?.status === userStatus.active && sha256(user.password) === found.password
      if (!isSame) throw refuse('forbidden', 'handover.gone')
      return { user, signedInAt: found.signedInAt }
    },
    cancel(taker) {
      if (owned(taker)) begun.delete(sha256(taker.id))
    },
  }
}
