import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { latestVersion } from '../../../gateway/store/sqlite/migrate.ts'
import { aChild, aProcess, GATEWAY, type Listening } from '../../process/child.ts'
import { aFolder, aHouse, type House, PROMPT, question, seenBy } from '../../process/house.ts'
import { leasedIn, unequal } from '../billing/postgres/node.ts'

const KILLS = 50
const THIS = GATEWAY
const NEXT = [process.execPath, join(import.meta.dirname, '../../process/next-gateway.ts')]

const openStore = async ({ config }: House) =>
  (await openPostgresStore(config.DATABASE_URL ?? '', 0, silentLogger)).store

/** The schema's version, and whether each part of the next release's migration is there. */
async function schemaOf({ db }: Awaited<ReturnType<typeof openStore>>) {
  const { rows } = await sql<{ version: number; parts: number }>`select max(version) as version,
    (select count(*) from information_schema.columns where table_name = 'channels' and column_name = 'region')
    + (select count(*) from pg_class where relname in ('digests', 'logs_content')) as parts
    from schema_migrations`.execute(db)
  return [rows[0]?.version, Number(rows[0]?.parts)]
}

it('nodes are upgraded, and set back, one after the other without a failed request (docs/growth.md#upgrade)', async () => {
  const house = await aHouse()
  const config = { ...house.config, DRAIN_DELAY_S: '1' }
  const folders = [house.folder, await aFolder(), await aFolder()]
  const start = (at: number, command: readonly string[], more = {}) =>
    aChild({ folder: folders[at] ?? '', command, config: { ...config, ...more } })
  const nodes: Listening[] = []
  for (const at of folders.keys()) nodes.push(await start(at, THIS))

  // A balancer that asks each node every 100 ms whether it is ready.
  const ready = new Set<string>()
  const acknowledged = new Map<string, number>()
  const failed: number[] = []
  let isOver = false
  onTestFinished(() => {
    isOver = true
  })
  const watching = (async () => {
    while (!isOver) {
      for (const { url } of nodes) {
        const { ok } = await fetch(`${url}/readyz`).catch(() => ({ ok: false }))
        if (ok) ready.add(url)
        else ready.delete(url)
      }
      await sleep(100)
    }
  })()
  await expect.poll(() => ready.size).toBe(3)
  const load = Array.from({ length: 8 }, async (_, loop) => {
    for (let count = loop; !isOver; count += 1) {
      const urls = [...ready]
      const url = urls[count % urls.length]
      if (url === undefined) {
        failed.push(0)
        await sleep(100)
        continue
      }
      const pieces = 2 + (count % 7)
      const key = house.keys[count % 3]
      const seen = await seenBy(url, { key, content: question(pieces, 3) })
      if (seen.done) acknowledged.set(seen.requestId, PROMPT + pieces)
      else failed.push(seen.status)
    }
  })
  const replace = async (at: number, command: readonly string[], more = {}) => {
    nodes[at]?.kill('SIGTERM')
    expect(await nodes[at]?.ended).toMatchObject({ code: 0, err: '' })
    nodes[at] = await start(at, command, more)
    await expect.poll(() => ready.has(nodes[at]?.url ?? '')).toBe(true)
  }
  const store = await openStore(house)
  for (const at of folders.keys()) await replace(at, NEXT)
  expect(await schemaOf(store)).toEqual([latestVersion + 1, 3])
  for (const at of folders.keys()) await replace(at, THIS)
  for (const at of folders.keys()) await replace(at, NEXT)
  await replace(0, NEXT, { NEXT: 'contract' })
  expect(await schemaOf(store)).toEqual([latestVersion + 2, 2])
  const before = acknowledged.size
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 100)
  isOver = true
  await Promise.all([...load, watching])
  for (const node of nodes) {
    node.kill('SIGTERM')
    expect(await node.ended).toMatchObject({ code: 0, err: '' })
  }
  const refused = await aProcess({ folder: folders[0] ?? '', config }).ended
  expect(refused).toMatchObject({ code: 4, err: expect.stringContaining(`only supports up to ${latestVersion}`) })

  expect(failed).toEqual([])
  expect([await unequal(store.db), await leasedIn(store.db)]).toEqual([[], 0])
  // Lets this process read the database.
  await sql.raw(`delete from schema_migrations where version > ${latestVersion + 1}`).execute(store.db)
  await store.close()
  const { wrong, charges } = await house.books()
  const charged = new Map(charges)
  expect([wrong, charged.size]).toEqual([[], charges.length])
  expect([...acknowledged].filter(([id, quota]) => charged.get(id) !== quota)).toEqual([])
}, 300_000)

it(`a migration that is killed at ${KILLS} moments leaves the old schema or the new one`, async () => {
  const house = await aHouse()
  const store = await openStore(house)
  await sql`insert into logs (user_id, created_at, type, content)
    select 1, 1, 4, md5(n::text) from generate_series(1, 100000) as n`.execute(store.db)
  const start = { folder: house.folder, config: house.config }
  const [oldSchema, newSchema] = [
    [latestVersion, 0],
    [latestVersion + 1, 3],
  ]
  const isMigrating = async () => {
    const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
      union all select 1 from pg_stat_activity where query like 'insert into "digests"%' or query like 'create index "logs_c%'
      or query like 'alter table "channels" add%'`.execute(store.db)
    return rows.length > 0
  }
  let interrupted = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = aProcess({ ...start, command: NEXT })
    await expect.poll(async () => (await isMigrating()) || child.out() !== '', { interval: 1 }).toBe(true)
    await sleep(kill * 5)
    child.kill('SIGKILL')
    await child.ended
    // The server notices the lost connection once its statement has ended.
    await expect.poll(isMigrating).toBe(false)
    const schema = await schemaOf(store)
    expect([oldSchema, newSchema]).toContainEqual(schema)
    if (schema[0] === latestVersion) interrupted += 1
    else await undo(store)
  }
  expect(interrupted).toBeGreaterThan(KILLS / 5)
  const done = await aChild({ ...start, command: NEXT })
  done.kill('SIGTERM')
  expect(await done.ended).toMatchObject({ code: 0, err: '' })
  expect(await schemaOf(store)).toEqual(newSchema)
  await store.close()
}, 300_000)

/** Returns to the old schema, for the next kill. */
async function undo({ db }: Awaited<ReturnType<typeof openStore>>): Promise<void> {
  for (const statement of [
    'alter table channels drop column region',
    'drop table digests',
    'drop index logs_content',
    `delete from schema_migrations where version > ${latestVersion}`,
  ])
    await sql.raw(statement).execute(db)
}
