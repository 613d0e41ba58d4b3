import { sql } from 'kysely'
import { silentLogger } from '../../gateway/base/log/logger.ts'
import { openLedger } from '../../gateway/billing/sqlite-ledger.ts'
import { type Db, openDatabase } from '../../gateway/store/sqlite/database.ts'

/** The accounts in a storm; ids count from 1 in each table. */
export const CROWD = { users: 60, tokens: 180, channels: 20 } as const

/** The initial grant of a user; the first few are small, so that holds are refused too. */
export const grantOf = (user: number): number => (user <= POOR ? 2_000 : 500_000)
const POOR = 5

/** The initial quota of a token; 0 for unlimited ones. */
export const limitOf = (token: number): number => (token % 3 === 0 ? 0 : 200_000)

/** One token in three has its limit raised, lowered, removed and set again during the storm. */
export const isChanging = (token: number): boolean => token % 3 === 2

export const ownerOf = (token: number): number => ((token - 1) % CROWD.users) + 1

/** A generator of fractions in [0, 1), deterministic per seed (a 32-bit xorshift with a multiplied step). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}

/** Whole numbers from `min` to `max`, both included. */
export const between = (random: () => number, min: number, max: number): number =>
  min + Math.floor(random() * (max - min + 1))

/**
 * Creates the database and the accounts in `folder`. `storm_changes` is the storm's own table: each change of a token's
 * limit writes a row in its transaction, which shows whether it was committed.
 */
export async function gather(folder: string, at: number): Promise<void> {
  const database = await openDatabase(folder, at)
  const ledger = await openLedger({ database, folder, clock: clockAt(at), log: silentLogger, show: String })
  await rows(database.db, at)
  for (let user = 1; user <= CROWD.users; user += 1)
    await ledger.move({ kind: 'grant', userId: user, amount: grantOf(user), refType: 'born', refId: `born-${user}` })
  await ledger.close()
  await database.close()
}

/** Fixed wall time, since nothing in a storm depends on it; monotonic time runs. */
export const clockAt = (seconds: number) => ({ now: () => seconds * 1000, monotonic: () => performance.now() })

async function rows(db: Db, at: number): Promise<void> {
  await sql`create table storm_changes (number integer primary key, id text unique, token integer, delta integer)`.execute(
    db,
  )
  const count = (max: number) => Array.from({ length: max }, (_, index) => index + 1)
  const users = count(CROWD.users).map((id) => ({ id, username: `user${id}`, created_at: at }))
  const tokens = count(CROWD.tokens).map((id) => ({
    id,
    user_id: ownerOf(id),
    key_hash: `hash${id}`,
    key: 'sealed',
    created_time: at,
    remain_quota: limitOf(id),
    unlimited_quota: limitOf(id) === 0 ? 1 : 0,
  }))
  const channels = count(CROWD.channels).map((id) => ({ id, key: 'sealed', created_time: at }))
  await db.insertInto('users').values(users).execute()
  await db.insertInto('tokens').values(tokens).execute()
  await db.insertInto('channels').values(channels).execute()
}
