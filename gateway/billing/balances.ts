import type { Db, Sqlite } from '../store/sqlite/database.ts'
import { prepared, type Slot } from '../store/sqlite/prepared.ts'
import type { CommitEntry } from './ledger.ts'

/** The quota that a user or a token may still spend in this process: committed rows, less charges not yet written. */
interface Balance {
  readonly id: number
  quota: number
  reserved: number
  /** The number of open reservations, including those of 0, whose charges will be deducted from this object. */
  holds: number
  /** The part of the balance that this process does not have; 0 on SQLite. */
  elsewhere: number
}

export interface UserBalance extends Balance {
  /** The balance as of the last commit to the database; `balance_after` of the ledger continues from it. */
  committed: number
}

export interface TokenBalance extends Balance {
  unlimited: boolean
}

/**
 * Balances in memory: on SQLite read from the database on first use, on PostgreSQL the slices that this node has
 * leased. Only the ledger has access.
 */
export interface Balances {
  user(id: number): UserBalance | undefined
  token(id: number): TokenBalance | undefined
  /** Only accounts already in memory; does not read the database. */
  readonly known: Readonly<{
    user(id: number): UserBalance | undefined
    token(id: number): TokenBalance | undefined
  }>
  /** Reverts a charge that is not written. */
  undo(entry: Pick<CommitEntry, 'userId' | 'tokenId' | 'limited' | 'charge'>): void
  /** Drops the balance of a user or token without reservations; it is read again on its next use. */
  forget(account: { userId?: number; tokenId?: number }): void
}

/** `reader` is the connection that reads committed data. */
export function createBalances(db: Db, reader: Sqlite): Balances {
  const users = new Map<number, UserBalance>()
  const tokens = new Map<number, TokenBalance>()
  const userRow = prepared(reader, (slot: Slot<{ id: number }>) =>
    db.selectFrom('users').select('quota').where('id', '=', slot('id')),
  )
  const tokenRow = prepared(reader, (slot: Slot<{ id: number }>) =>
    db.selectFrom('tokens').select(['remain_quota', 'unlimited_quota']).where('id', '=', slot('id')),
  )
  return {
    user(id) {
      const known = users.get(id)
      if (known) return known
      const row = userRow.one({ id })
      return row && remember(users, { id, quota: row.quota, reserved: 0, holds: 0, elsewhere: 0, committed: row.quota })
    },
    token(id) {
      const known = tokens.get(id)
      if (known) return known
      const row = tokenRow.one({ id })
      const unlimited = row?.unlimited_quota === 1
      return row && remember(tokens, { id, quota: row.remain_quota, reserved: 0, holds: 0, elsewhere: 0, unlimited })
    },
    known: { user: (id) => users.get(id), token: (id) => tokens.get(id) },
    undo({ userId, tokenId, limited, charge }) {
      const [user, token] = [users.get(userId), limited ? tokens.get(tokenId) : undefined]
      if (user) user.quota += charge?.quota ?? 0
      if (token) token.quota += charge?.quota ?? 0
    },
    forget({ userId, tokenId }) {
      if (userId !== undefined && !users.get(userId)?.holds) users.delete(userId)
      if (tokenId !== undefined && !tokens.get(tokenId)?.holds) tokens.delete(tokenId)
    },
  }
}

function remember<T extends { id: number }>(map: Map<number, T>, account: T): T {
  map.set(account.id, account)
  return account
}
