import { sql, type Transaction } from 'kysely'
import { MAX_QUOTA } from '../../shared/api/fields.ts'
import type { Schema } from '../store/schema.ts'

/**
 * Rewards of invitations, which wait beside the balance until their owner moves them there
 * (docs/reference/accounts.md#invitations). All in quota; each is one statement of the caller's transaction.
 */

/**
 * Counts one more who was invited, with what the inviter gets for it; 0 counts as well. Of a reward that would exceed what an
 * account can have as much is given as there is room for: an inviter who has it all must keep nobody out.
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

/** Takes rewards away that are about to be moved to the balance; false where there are not as many. */
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
