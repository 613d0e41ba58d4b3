import { type Expression, type SqlBool, SqliteAdapter, sql } from 'kysely'
import type { Db } from './sqlite/database.ts'

export const isSqlite = (db: Db): boolean => db.getExecutor().adapter instanceof SqliteAdapter

/**
 * Matches if `column` contains `wanted`, with LIKE wildcards taken literally. The database folds both sides, ignoring
 * the case of all letters, or only of ASCII letters (SQLite).
 */
export const contains = (column: Expression<string>, wanted: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${`%${escaped(wanted)}%`}) escape '\\'`

/** Matches if `column` begins with `wanted`; ignores case as `contains` does. */
export const beginsWith = (column: Expression<string>, wanted: string): Expression<SqlBool> =>
  sql<SqlBool>`lower(${column}) like lower(${`${escaped(wanted)}%`}) escape '\\'`

/**
 * Matches `column` against a LIKE pattern whose escape character is a backslash, ignoring case as each database does;
 * costs half as much as comparing with `lower`.
 */
export const isLike = (db: Db, column: Expression<string>, pattern: string): Expression<SqlBool> =>
  isSqlite(db)
    ? sql<SqlBool>`${column} like ${pattern} escape '\\'`
    : sql<SqlBool>`${column} ilike ${pattern} escape '\\'`

/** Matches if the comma-separated list `column` contains `item`. */
export const lists = (column: Expression<string>, item: string): Expression<SqlBool> =>
  sql<SqlBool>`',' || ${column} || ',' like ${`%,${escaped(item)},%`} escape '\\'`

export const containing = (wanted: string): string => `%${escaped(wanted)}%`

const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')
