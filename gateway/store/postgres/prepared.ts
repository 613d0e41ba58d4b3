import { createHash } from 'node:crypto'
import { type Compilable, CompiledQuery } from 'kysely'
import type { Db } from '../sqlite/database.ts'
import { compiled, type Prepare, type Slot } from '../sqlite/prepared.ts'
import type { Connections } from './connections.ts'

/** Runs queries like all others of `db`, with the accounts that cause them taking turns. */
export const inTurnOf =
  (db: Db): Prepare =>
  <A extends object, R>(build: (slot: Slot<A>) => Compilable<R>) => {
    const { sql, bind } = compiled(build)
    return { one: async (args: A) => (await db.executeQuery<R>(CompiledQuery.raw(sql, [...bind(args)]))).rows[0] }
  }

/** Prepares queries on the server, once per connection. */
export const preparedOver =
  (connections: Connections): Prepare =>
  <A extends object, R>(build: (slot: Slot<A>) => Compilable<R>) => {
    const { sql, bind } = compiled(build)
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 32)
    return { one: async (args: A) => (await connections.named<R>(name, sql, bind(args)))[0] }
  }
