import { sql, type Transaction } from 'kysely'
import { MAX_QUOTA, MIN_QUOTA } from '../../shared/api/fields.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import { STORAGE_UNAVAILABLE } from '../base/storage-fault.ts'
import type { Schema } from '../store/schema/schema.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { Balances } from './balances.ts'
import type { Ledger, Movement, TokenLimitChange } from './ledger.ts'
import { takeBack } from './refund.ts'
import type { Queue } from './write-queue.ts'

type MoveDeps = Readonly<{
  db: Db
  balances: Pick<Balances, 'user' | 'token'>
  queue: Queue
  clock: Clock
  /** Whether other nodes may have charges that are not written yet. */
  hasOtherNodes: boolean
}>

/** Movements other than relayed requests. Each call is one transaction; memory is updated after it. */
export function createMoves({
  db,
  balances,
  queue,
  clock,
  hasOtherNodes,
}: MoveDeps): Pick<Ledger, 'move' | 'refund' | 'changeToken'> {
  return {
    async move(...movements) {
      await flushed(queue)
      const accounts = movements.map(({ userId }) => balances.user(userId))
      // Memory is updated before the connection is free for a group commit, which continues from the committed balance.
      await db.connection().execute(async (connection) => {
        const after = await connection
          .transaction()
          .execute((transaction) => postAll(transaction, movements, unixSeconds(clock)))
        for (const [index, { amount }] of movements.entries()) {
          // A user created by `together` is read on first use, including the movement.
          const account = accounts[index]
          if (!account) continue
          account.quota += amount
          account.committed = after[index] ?? account.committed
        }
      })
    },
    async refund(refund) {
      await flushed(queue)
      return db.connection().execute(async (connection) => {
        const refunded = await connection.transaction().execute(async (transaction) => {
          const back = await takeBack(transaction, refund, { at: unixSeconds(clock), hasOtherNodes })
          // Loads both accounts before the commit: read afterwards, they would include the refund, which would then be
          // added twice.
          return back && { ...back, account: balances.user(back.userId), token: balances.token(back.tokenId) }
        })
        if (!refunded) return 0
        const { account, token, amount, balance, isLimited } = refunded
        if (account) {
          account.quota += amount
          account.committed = balance
        }
        if (token && isLimited) token.quota = Math.min(token.quota + amount, MAX_QUOTA)
        return amount
      })
    },
    async changeToken(change) {
      const before = balances.token(change.tokenId)
      await db.transaction().execute((transaction) => limit(transaction, change))
      if (!before) return
      before.quota += change.delta
      before.unlimited = change.unlimited ?? before.unlimited
    },
  }
}

const flushed = (queue: Queue): Promise<void> =>
  queue.flush().catch((cause) => {
    throw refuse('unavailable', 'relay.storageUnavailable', {}, { code: STORAGE_UNAVAILABLE, cause })
  })

async function postAll(transaction: Transaction<Schema>, movements: readonly Movement[], at: number) {
  const after: number[] = []
  for (const movement of movements) after.push(await post(transaction, movement, at))
  return after
}

async function post(transaction: Transaction<Schema>, movement: Movement, at: number): Promise<number> {
  await movement.together?.(transaction)
  const user = await transaction
    .updateTable('users')
    .set((eb) => ({ quota: eb('quota', '+', movement.amount) }))
    .where('id', '=', movement.userId)
    .where((eb) => eb.between(eb('quota', '+', movement.amount), MIN_QUOTA, MAX_QUOTA))
    .returning('quota')
    .executeTakeFirst()
  if (!user) throw await refusalOf(transaction, movement)
  await transaction
    .insertInto('ledger')
    .values({
      created_at: at,
      user_id: movement.userId,
      kind: movement.kind,
      amount: movement.amount,
      ref_type: movement.refType,
      ref_id: movement.refId,
      balance_after: user.quota,
    })
    .execute()
  if (movement.log) await transaction.insertInto('logs').values(movement.log).execute()
  return user.quota
}

async function refusalOf(transaction: Transaction<Schema>, { userId }: Movement): Promise<Error> {
  const exists = await transaction.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
  return exists ? refuse('invalid', 'user.quota_bounds') : refuse('missing', 'user.not_found')
}

async function limit(transaction: Transaction<Schema>, change: TokenLimitChange): Promise<void> {
  await change.together?.(transaction)
  await transaction
    .updateTable('tokens')
    .set((eb) => ({
      remain_quota: eb('remain_quota', '+', change.delta),
      ...(change.unlimited === undefined ? {} : { unlimited_quota: sql<number>`${change.unlimited ? 1 : 0}` }),
    }))
    .where('id', '=', change.tokenId)
    .execute()
}
