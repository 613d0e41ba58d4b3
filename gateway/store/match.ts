import { type Expression, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * `column` contains `wanted`, with the wildcards of LIKE taken literally. Both sides are folded by the database, which
 * ignores the case of all letters, or of ASCII's alone (SQLite).
 */
export const contains = (column: Expression<string>, wanted: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${`%${escaped(wanted)}%`}) escape '\\'`

/** `column` begins with `wanted`, ignoring case. */
export const beginsWith = (column: Expression<string>, wanted: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${`${escaped(wanted)}%`}) escape '\\'`

/** `column` fits a LIKE pattern whose `\\` escapes, ignoring case in each database's own way: half the cost of folding. */
export const isLike = (db: Db, column: Expression<string>, pattern: string): Expression<SqlBool> =>
  db.getExecutor().adapter instanceof SqliteAdapter
    ? sql<SqlBool>`${column} like ${pattern} escape '\\'`
    : sql<SqlBool>`${column} ilike ${pattern} escape '\\'`

/** `column` is a list joined by commas that has `item` in it. */
export const lists = (column: Expression<string>, item: string): Expression<SqlBool> =>
  sql<SqlBool>`',' || ${column} || ',' like ${`%,${escaped(item)},%`} escape '\\'`

/** The LIKE pattern of texts that have `wanted` in them, for `isLike`. */
export const containing = (wanted: string): string => `%${escaped(wanted)}%`

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
