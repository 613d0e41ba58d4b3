import type { Db } from '../sqlite/database.ts'

/** Max groups per kind of row; the groups with the most rows are returned. */
export const MAX_GROUPS = 1000

type GroupRows = readonly Readonly<{ group: string; n: number }>[]

/**
 * Counts accounts per group, and API tokens per group. Tokens without their own group and deleted rows are not counted.
 * Call it on the reader's thread.
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
