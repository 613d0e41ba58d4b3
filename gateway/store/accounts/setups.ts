import type { Db } from '../sqlite/database.ts'

/**
 * The `setups` table: its only row records that the initial setup is done. Adding it twice violates the primary key.
 */
export const setupStore = (db: Db) => ({
  async isDone(): Promise<boolean> {
    return (await db.selectFrom('setups').select('id').executeTakeFirst()) !== undefined
  },
  add: (version: string, at: number) =>
    db.insertInto('setups').values({ id: 1, version, initialized_at: at }).execute(),
})
