import Database from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { Db } from './database.ts'

/** Opens a database without changing it, even one with an older schema; `destroy` closes it. */
export const readOnly = (file: string): Db =>
  new Kysely<Schema>({
    dialect: new SqliteDialect({ database: new Database(file, { readonly: true, fileMustExist: true }) }),
  })
