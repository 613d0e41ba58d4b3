import { createHash } from 'node:crypto'
import type { Compilable } from 'kysely'
import { compiled, type Prepare, type Slot } from '../sqlite/prepared.ts'
import type { Connections } from './connections.ts'

/** Prepares queries on the server, once per connection. */
export const preparedOver =
  (connections: Connections): Prepare =>
  <A extends object, R>(build: (slot: Slot<A>) => Compilable<R>) => {
    const { sql, bind } = compiled(build)
    const name = createHash('sha256').update(sql).digest('base64url').slice(0, 32)
    return { one: async (args: A) => (await connections.named<R>(name, sql, bind(args)))[0] }
  }
