import { sql, type Transaction } from 'kysely'
import { MAX_QUOTA } from '../../shared/api/fields.ts'
import { tokenStatus } from '../../shared/enums.ts'
import { takeFromHours } from '../store/log/usage-hours.ts'
import type { Schema } from '../store/schema/schema.ts'
import { countedNames } from './counted.ts'
import type { Refund } from './ledger.ts'

type TakenBack = Readonly<{
  userId: number
  tokenId: number
  amount: number
  balance: number
  isLimited: boolean
}>

/** Another node may still write the charge: nothing was changed, and the refund should be tried again later. */
export class ChargeExpected extends Error {}

/** How long a node may be down with a charge in its journal; after that, a task ends without a refund. */
const MAX_EXPECTED_S = 86_400

/**
 * Refunds the charge of a request within a transaction. Reads the charge from the ledger; its `refund` row can be
 * written only once. Returns undefined if `together` returns false, if there is nothing to refund, or if the account
 * does not exist. Throws `ChargeExpected` if the order is less than a day old, its charge is missing, and other nodes
 * write charges too.
 */
export async function takeBack(
  transaction: Transaction<Schema>,
  { requestId, orderedAt, together, log }: Refund,
  { at, hasOtherNodes }: Readonly<{ at: number; hasOtherNodes: boolean }>,
): Promise<TakenBack | undefined> {
  if (!(await together(transaction))) return undefined
  const charge = await transaction
    .selectFrom('ledger')
    .select(['user_id', 'token_id', 'channel_id', 'amount', 'created_at', 'counted_as'])
    .where('kind', '=', 'consume')
    .where('ref_type', '=', 'request')
    .where('ref_id', '=', requestId)
    .executeTakeFirst()
  if (!charge && hasOtherNodes && at - orderedAt < MAX_EXPECTED_S) throw new ChargeExpected('the charge is not written')
  const amount = -(charge?.amount ?? 0)
  if (!charge || amount <= 0) return undefined
  const { user_id, token_id, channel_id } = charge
  const user = await transaction
    .updateTable('users')
    .set((eb) => ({ quota: eb('quota', '+', amount), used_quota: eb('used_quota', '-', amount) }))
    .where('id', '=', user_id)
    .returning('quota')
    .executeTakeFirst()
  if (!user) return undefined
  const token = await transaction
    .updateTable('tokens')
    .set((eb) => ({
      used_quota: eb('used_quota', '-', amount),
      // A limit already at its maximum stays there; the refund goes to the account.
      remain_quota: sql<number>`case when unlimited_quota = 1 then remain_quota
        when remain_quota > ${MAX_QUOTA - amount} then ${MAX_QUOTA} else remain_quota + ${amount} end`,
      // Reactivates a token that this charge exhausted.
      status: sql<number>`case when status = ${tokenStatus.exhausted} and unlimited_quota = 0 then ${tokenStatus.enabled} else status end`,
    }))
    .where('id', '=', token_id)
    .returning('unlimited_quota')
    .executeTakeFirst()
  await transaction
    .updateTable('channels')
    .set((eb) => ({ used_quota: eb('used_quota', '-', amount) }))
    .where('id', '=', channel_id)
    .execute()
  await transaction
    .insertInto('ledger')
    .values({
      created_at: at,
      user_id,
      token_id,
      channel_id,
      kind: 'refund',
      amount,
      ref_type: 'request',
      ref_id: requestId,
      balance_after: user.quota,
    })
    .execute()
  await transaction.insertInto('logs').values(log(amount)).execute()
  const counted = { requestId, userId: user_id, at: charge.created_at }
  const names = countedNames(charge.counted_as)
  if (names) await takeFromHours(transaction, { ...names, ...counted, tokenId: token_id, quota: amount })
  return { userId: user_id, tokenId: token_id, amount, balance: user.quota, isLimited: token?.unlimited_quota === 0 }
}
