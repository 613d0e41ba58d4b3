import type { Database, Statement } from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { LRUCache } from 'lru-cache'
import { upTo } from '../base/lru.ts'

const MAX_KEPT = 200
/** Characters: longer ones insert many rows at once, hardly twice the same number. */
const MAX_SQL_LENGTH = 4000
const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i

/**
 * A connection for Kysely that compiles a statement once, as long as it is in use: compiling takes as long as running for most
 * of ours. What changes the schema makes it forget all of them.
 */
export function compiledOnce(connection: Database): SqliteDatabase {
  const kept = new LRUCache<string, Statement>(upTo(MAX_KEPT))
  return {
    prepare(sql) {
      // A full disk has ended the transaction already; that nothing is there to roll back must not hide why.
      if (sql === 'rollback' && !connection.inTransaction) return connection.prepare('select 1')
      const known = kept.get(sql)
      // One whose rows are still being read goes on; whoever asks as well gets another.
      if (known && !known.busy) return known
      const statement = connection.prepare(sql)
      if (CHANGES_SCHEMA.test(sql)) kept.clear()
      else if (sql.length <= MAX_SQL_LENGTH) kept.set(sql, statement)
      return statement
    },
    close: () => void connection.close(),
  }
}
