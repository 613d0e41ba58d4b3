import { sql, type Transaction } from 'kysely'
import { MAX_QUOTA } from '../../shared/api/fields.ts'
import type { Schema } from '../store/schema/schema.ts'

/**
 * Invitation rewards, which are separate from the balance until their owner transfers them
 * (docs/reference/accounts.md#invitations). All in quota; each function is one statement of the caller's transaction.
 */

/**
 * Counts one more invited user and adds the inviter's reward, which may be 0. Clamps the rewards to MAX_QUOTA instead
 * of failing: an inviter at the maximum must not block registrations.
 */
export async function addReward(transaction: Transaction<Schema>, inviterId: number, quota: number): Promise<void> {
  await transaction
    .updateTable('users')
    .set((eb) => ({
      aff_count: eb('aff_count', '+', 1),
      aff_quota: sql<number>`case when aff_quota > ${MAX_QUOTA - quota} then ${MAX_QUOTA} else aff_quota + ${quota} end`,
      aff_history: sql<number>`case when aff_history > ${MAX_QUOTA - quota} then ${MAX_QUOTA} else aff_history + ${quota} end`,
    }))
    .where('id', '=', inviterId)
    .execute()
}

/**
 * Deducts rewards about to be transferred to the balance; returns false if there are not enough, or the user was
 * deleted.
 */
export async function takeRewards(transaction: Transaction<Schema>, userId: number, quota: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set((eb) => ({ aff_quota: eb('aff_quota', '-', quota) }))
    .where('id', '=', userId)
    .where('aff_quota', '>=', quota)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows) === 1
}
