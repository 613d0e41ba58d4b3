import { hostname } from 'node:os'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { aCommand } from '../../process/child.ts'
import { aFolder } from '../../process/house.ts'
import { aWorld } from '../../support/world.ts'

it('lists the nodes of a database, drains one, and fences a lost one (docs/reference/command-line.md#commands)', async () => {
  const world = await aWorld()
  const config = { DATABASE_URL: world.databaseUrl, SWITCHYARD_MASTER_KEY: Buffer.alloc(32).toString('base64') }
  const folder = await aFolder()
  const command = (...args: string[]) => aCommand({ folder, config, args: ['node', ...args] })
  const { db } = world.gateway.inner
  const { rows } = await sql<{ id: string }>`select id from nodes`.execute(db)
  const name = rows[0]?.id ?? ''
  expect(await command()).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`^${name} {2}${hostname()} {2}heard \\d s ago`)),
  })
  expect(await command('fence', name)).toMatchObject({ code: 1, err: expect.stringContaining('was heard') })
  expect(await command('fence', 'unknown')).toMatchObject({ code: 1, err: expect.stringContaining('no node') })
  expect((await command('fence')).code).toBe(2)
  expect(await command('drain', name)).toMatchObject({ code: 0, out: `Draining: ${name}\n` })
  expect((await command()).out).toContain('draining')
  expect(await command('resume', name)).toMatchObject({ code: 0, out: `Ready again: ${name}\n` })
  expect(await command('drain', 'unknown')).toMatchObject({ code: 1, err: expect.stringContaining('no node') })
  expect((await command('list', name)).code).toBe(2)
  await world.gateway.stop()
  expect((await command('list')).out).toContain('stopped')
  const { store } = await openPostgresStore(world.databaseUrl, 0, silentLogger)
  onTestFinished(() => store.close())
  await sql`update node_beats set seen_at = now() - interval '1 minute'`.execute(store.db)
  expect(await command('fence', name)).toMatchObject({ code: 0, out: `Fenced: ${name}\n` })
  expect((await command('list', '--json')).out).toContain('"fencedAt":1')
  expect((await aCommand({ folder, args: ['node'] })).err).toContain('DATABASE_URL is not set')
})
