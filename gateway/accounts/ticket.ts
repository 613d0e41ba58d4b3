import { LRUCache } from 'lru-cache'
import { role, userStatus } from '../../shared/enums.ts'
import type { Clock } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { randomSecret, sha256 } from '../base/ids.ts'
import { lruLife, upTo } from '../base/lru.ts'
import type { Settings } from '../settings/settings.ts'
import type { Db } from '../store/database.ts'
import type { UserRow } from '../store/schema.ts'
import { userStore } from '../store/users.ts'

/** What the desktop hands its own window: 32 random bytes and whom they sign in. */
export type Ticket = Readonly<{ secret: string; userId: number }>

/** Where a ticket is shown; `loopback` is what `originOf` says of the call. */
type ShownTicket = Readonly<{ secret: string; loopback: boolean }>

/** One-time sign-in for the window of a desktop that one person uses (docs/reference/accounts.md#desktop-ticket). */
export interface Tickets {
  /** A ticket for the root account, good once within 60 s; null unless the gateway is set up and in self-use mode. */
  issue(): Promise<Ticket | null>
  /** The user of a good ticket, which is spent whatever comes of it; refuses all others with one message. */
  redeem(shown: ShownTicket): Promise<UserRow>
}

type TicketDeps = Readonly<{ db: Db; clock: Clock; settings: Pick<Settings, 'get'> }>

const LIFE_MS = 60_000
const MAX = 16

/** Tickets in memory, by their SHA-256; no more than 16 at a time. A restart forgets them all. */
export function createTickets({ db, clock, settings }: TicketDeps): Tickets {
  const users = userStore(db)
  const issued = new LRUCache<string, number>({ ...upTo(MAX), ...lruLife(LIFE_MS, () => clock.monotonic()) })
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
