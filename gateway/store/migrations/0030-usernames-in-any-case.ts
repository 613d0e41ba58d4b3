import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** Registration asks whether anybody has a name, in whichever case: without an index it reads every account. */
export const usernamesInAnyCase: Migration = {
  name: 'usernames in any case',
  async up(db) {
    await sql`create index users_lower_username on users (lower(username))`.execute(db)
  },
}
