import { sql } from 'kysely'
import type { Migration } from '../../gateway/store/migrations/column.ts'
import { migrations } from '../../gateway/store/migrations/index.ts'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'

/** A future release whose migration does real work: a column, a table filled from another, an index. */
export const nextRelease: readonly Migration[] = [
  ...migrations,
  {
    name: 'next',
    async up(db) {
      await sql`alter table logs add column digest text not null default ''`.execute(db)
      await sql`update logs set digest = hex(content || id)`.execute(db)
      await sql`create table digests (id integer primary key, digest text not null) strict`.execute(db)
      await sql`insert into digests select id, digest || digest from logs`.execute(db)
      await sql`create index digests_digest on digests (digest)`.execute(db)
      await sql`delete from logs where id % 3 = 0`.execute(db)
    },
  },
]

/** Run as a program, it opens the given folder as that release would. */
if (process.argv[1] === import.meta.filename) {
  process.stdout.write('begun\n')
  await openDatabase(process.argv[2] ?? '', 0, nextRelease)
  process.stdout.write('done\n')
}
