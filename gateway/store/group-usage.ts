import type { Db } from './database.ts'

/** Groups a kind of row is counted for; of more those with the most rows. */
export const MAX_GROUPS = 1000

/** How many live rows name a group. */
type GroupRows = readonly Readonly<{ group: string; n: number }>[]

/**
 * How many accounts are in each group, and how many API tokens ask in it; a token without a group of its own counts for none.
 * Deleted rows count nowhere. To be asked on the reader's thread.
 */
export async function groupUsage(db: Db): Promise<Readonly<{ users: GroupRows; tokens: GroupRows }>> {
  const counted = async (table: 'users' | 'tokens'): Promise<GroupRows> => {
    const rows = await db
      .selectFrom(table)
      .select(({ fn }) => ['group', fn.countAll<number>().as('n')])
      .where('deleted_at', 'is', null)
      .where('group', '!=', '')
      .groupBy('group')
      .orderBy('n', 'desc')
      .limit(MAX_GROUPS)
      .execute()
    return rows.map(({ group, n }) => ({ group, n: Number(n) }))
  }
  const [users, tokens] = await Promise.all([counted('users'), counted('tokens')])
  return { users, tokens }
}
