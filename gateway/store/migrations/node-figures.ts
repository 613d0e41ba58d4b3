import { sql } from 'kysely'
import type { Migration } from './column.ts'

/**
 * Charges of each node that are not in the database, whether it counts limits in Redis, and whether it drains. Changes
 * nothing on SQLite.
 */
export const nodeFigures: Migration = {
  name: 'figures of nodes',
  async up(db, dialect) {
    if (dialect !== 'postgres') return
    await sql`alter table node_beats add column uncommitted int not null default 0,
      add column uncommitted_s int not null default 0, add column redis text not null default 'none',
      add column draining boolean not null default false`.execute(db)
  },
}
