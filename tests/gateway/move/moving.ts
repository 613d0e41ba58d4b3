import { sql } from 'kysely'
import { inject } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { createVault } from '../../../gateway/base/secrets/ciphers.ts'
import { runCommand } from '../../../gateway/command-line/run-command.ts'
import { openPostgresSide } from '../../../gateway/composition/postgres.ts'
import { readConfig } from '../../../gateway/config.ts'
import { sumOf } from '../../../gateway/move/compare-sides.ts'
import { type MoveSide, untyped } from '../../../gateway/move/move-side.ts'
import { movedTables } from '../../../gateway/move/moved-tables.ts'
import { openSqliteSide } from '../../../gateway/move/sqlite-side.ts'
import { headlessSecrets } from '../../../gateway/secrets.ts'
import { aClock } from '../../support/clock.ts'
import { createDatabase } from '../../support/postgres-server.ts'
import { SQLITE } from '../../support/tables.ts'
import { aWorld, type World } from '../../support/world.ts'

export const KEY = Buffer.alloc(32, 7)
const SWITCHYARD_MASTER_KEY = KEY.toString('base64')
export const side = { clock: aClock(), log: silentLogger }
export const vault = createVault(KEY)

/** A small world on SQLite, with requests, charges, stored bodies, responses and conversations. */
export async function aFilledWorld(): Promise<World> {
  const options = { ModelRatio: { m: 1, 'deepseek-chat': 1 }, KeepBodiesEnabled: true, SMTPToken: 'a-token' } as const
  const world = await aWorld({ config: { ...SQLITE, SWITCHYARD_MASTER_KEY }, options })
  for (const models of ['m', 'deepseek-chat']) await world.channel({ models, type: models === 'm' ? 1 : 43 })
  const alice = await world.user({ quota: 1_000_000 })
  const limited = await world.token(alice, { unlimited_quota: false, remain_quota: 500_000, keep_bodies: true })
  for (const text of ['one', 'two', 'three']) await alice.asks('m', text, { key: limited.key })
  await alice.calls('/v1/responses', { model: 'deepseek-chat', input: 'one' })
  await alice.calls('/v1/conversations', { items: [{ type: 'message', role: 'user', content: 'one' }] })
  await alice.calls('/v1/conversations', { items: [{ type: 'message', role: 'user', content: 'x'.repeat(2_000_000) }] })
  const codes = { name: 'code', count: 2, quota: 1000 }
  await world.admin.post('/api/redemption', codes)
  const { db } = world.gateway.inner
  const removed = await db
    .insertInto('redemptions')
    .values({ user_id: 1, key: 'gone', created_time: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.deleteFrom('redemptions').where('id', '=', removed.id).execute()
  const many = Array.from({ length: 700 }, (_, at) => ({ name: `n${at}`, user_id: at % 9, created_at: at, type: 4 }))
  await db
    .insertInto('logs')
    .values(many.map(({ name, ...row }) => ({ ...row, content: `${name}\0` })))
    .execute()
  await fillRest(world)
  await world.gateway.stop()
  return world
}

/** A row in each table that the world did not fill. */
async function fillRest({ gateway: { inner } }: World): Promise<void> {
  const db = untyped(inner)
  await db.insertInto('ledger_sums').values({ generation: 0, account: 'user', id: 999_999 }).execute()
  for (const { name } of await movedTables(inner.db, false)) {
    if ((await sql`select 1 from ${sql.table(name)} limit 1`.execute(db)).rows.length > 0) continue
    const { rows } = await sql<{ name: string; type: string }>`select name, type from pragma_table_info(${name})
      where "notnull" = 1 and dflt_value is null and not (name = 'id' and type = 'integer')`.execute(db)
    const values = rows.map((column) => [column.name, column.type === 'text' ? 'user' : 1])
    await db.insertInto(name).values(Object.fromEntries(values)).execute()
  }
}

export const anEmptyDatabase = (): Promise<string> => createDatabase(inject('postgres') ?? '', 'template0')

/** Hash and number of rows of each table. */
export async function sumsOf({ db }: Pick<MoveSide, 'db'>): Promise<Record<string, { rows: number; hash: string }>> {
  const sums = await Promise.all(
    (await movedTables(db, false)).map(async (table) => [table.name, await sumOf(untyped({ db }), table)] as const),
  )
  return Object.fromEntries(sums)
}

export async function withFolder<T>(folder: string, work: (opened: MoveSide) => Promise<T>): Promise<T> {
  const opened = await openSqliteSide(folder, side)
  return work(opened).finally(opened.close)
}

export async function withDatabase<T>(url: string, work: (opened: MoveSide) => Promise<T>): Promise<T> {
  const opened = await openPostgresSide(url, side)
  return work(opened).finally(opened.close)
}

/** Runs `switchyard move` in this process; returns its output. Rejects as it fails. */
export async function moving(
  environment: Readonly<Record<string, string>>,
  values: Readonly<Record<string, string>>,
  switches: readonly string[] = [],
): Promise<string[]> {
  const config = readConfig({ SWITCHYARD_MASTER_KEY, ...environment }, [])
  const lines: string[] = []
  await runCommand(
    {
      config,
      clock: aClock(),
      secrets: headlessSecrets(config),
      environment: {},
      print: (line) => void lines.push(line),
      goOut: () => {
        throw new Error('a move calls no other machine')
      },
      readHidden: async () => undefined,
    },
    { name: 'move', args: [], switches, values, flags: [], isJson: false },
  )
  return lines
}

/** A folder that does not outlive the test. */
export { aFolder as aNewFolder } from '../../process/house.ts'
