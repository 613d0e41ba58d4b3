import { sql } from 'kysely'
import type { Migration } from './column.ts'

/** The costliest of the passwords that another gateway hashed and that can be checked here: asked for at each sign-in. */
export const foreignPasswords: Migration = {
  name: 'foreign passwords',
  async up(db) {
    await db.schema
      .createIndex('users_foreign_password')
      .on('users')
      .expression(sql`substr(password, 5, 2)`)
      .where(sql<boolean>`password like '$2%'`)
      .where(sql<boolean>`substr(password, 3, 1) in ('a', 'b', 'y') and length(password) = 60`)
      .where(sql<boolean>`substr(password, 5, 2) between '04' and '13'`)
      .execute()
  },
}
