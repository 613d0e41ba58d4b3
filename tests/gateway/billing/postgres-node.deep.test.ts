import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts'
import { aWorld } from '../../support/world.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

it('a node on PostgreSQL answers and charges', async () => {
  const world = await aWorld({
    config: { DATABASE_URL: await server.database() },
    options: { ModelRatio: { 'gpt-4o': 1 } },
  })
  await world.channel({ models: 'gpt-4o' })
  const alice = await world.user({ quota: 1_000_000 })
  const { status, text } = await alice.asks('gpt-4o', 'hi')
  expect([status, text]).toEqual([200, expect.anything()])
  expect(await alice.quota()).toBeLessThan(1_000_000)
})
