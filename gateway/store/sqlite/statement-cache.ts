import type { Database, Statement } from 'better-sqlite3'
import type { SqliteDatabase } from 'kysely'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../base/lru.ts'

const MAX_STATEMENTS = 200
/** Max characters of a cached statement. Longer statements insert many rows at once, rarely the same number twice. */
const MAX_SQL_LENGTH = 4000
const CHANGES_SCHEMA = /^\s*(create|alter|drop)\b/i

/**
 * A connection for Kysely that caches prepared statements, because compiling most of ours takes as long as running
 * them. Schema changes clear the cache.
 */
export function cachedStatements(connection: Database): SqliteDatabase {
  const statements = new LRUCache<string, Statement>(upTo(MAX_STATEMENTS))
  return {
    prepare(sql) {
      // SQLite has already ended the transaction, for example on a full disk. A failing rollback would hide the
      // original error.
      if (sql === 'rollback' && !connection.inTransaction) return connection.prepare('select 1')
      const known = statements.get(sql)
      // A busy statement is still being iterated, so a concurrent caller gets a new one.
      if (known && !known.busy) return known
      const statement = connection.prepare(sql)
      if (CHANGES_SCHEMA.test(sql)) statements.clear()
      else if (sql.length <= MAX_SQL_LENGTH) statements.set(sql, statement)
      return statement
    },
    close: () => void connection.close(),
  }
}
