import { LRUCache } from 'lru-cache'
import { role, userStatus } from '../../../shared/enums.ts'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import { randomSecret, sha256 } from '../../base/ids.ts'
import { lruLife, upTo } from '../../base/lru.ts'
import type { Settings } from '../../settings/settings.ts'
import { userStore } from '../../store/accounts/users.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { Db } from '../../store/sqlite/database.ts'

/** 32 random bytes the desktop passes to its own window, and the user they log in. */
export type Ticket = Readonly<{ secret: string; userId: number }>

/** A presented ticket; `loopback` is that of the call's `RequestOrigin`. */
type ShownTicket = Readonly<{ secret: string; loopback: boolean }>

/** One-time login for the window of a single-user desktop (docs/reference/accounts.md#desktop-ticket). */
export interface Tickets {
  /**
   * Returns a ticket for the root account, valid once within 60 s; null unless the gateway is set up and in self-use
   * mode.
   */
  issue(): Promise<Ticket | null>
  /** Returns the user of a valid ticket, which is consumed in any case; throws the same error for every invalid one. */
  redeem(shown: ShownTicket): Promise<UserRow>
}

type TicketDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

const TTL_MS = 60_000
const MAX_TICKETS = 16

/** In-memory, keyed by SHA-256, at most 16 at a time. Lost on restart. */
export function createTickets({ db, clock, settings }: TicketDeps): Tickets {
  const users = userStore(db)
  const issued = new LRUCache<string, number>({ ...upTo(MAX_TICKETS), ...lruLife(TTL_MS, () => clock.monotonic()) })
  const owner = async (): Promise<UserRow | undefined> => {
    if (!settings.get('SelfUseModeEnabled')) return undefined
    const roots = await users.withRole(role.root)
    return roots.find(({ status }) => status === userStatus.active)
  }
  return {
    async issue() {
      const user = await owner()
      if (!user) return null
      const secret = randomSecret()
      issued.set(sha256(secret), user.id)
      return { secret, userId: user.id }
    },
    async redeem({ secret, loopback }) {
      const hash = sha256(secret)
      const userId = issued.get(hash)
      issued.delete(hash)
      const user = userId !== undefined && loopback ? await owner() : undefined
      if (!user || user.id !== userId) throw refuse('forbidden', 'login.expired')
      return user
    },
  }
}
