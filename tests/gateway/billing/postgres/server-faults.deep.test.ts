import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import { startPostgres } from '../../../support/postgres-server.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld } from '../../../support/world.ts'

const ROUNDS = 10

it('a server that is killed under load loses no charge and none is charged twice (docs/growth.md)', async () => {
  const server = await startPostgres({ fsync: true })
  onTestFinished(server.stop)
  const lines: string[] = []
  const log = { ...silentLogger, error: (message: string) => void lines.push(message) }
  const config = { DATABASE_URL: await server.database() }
  const world = await aWorld({
    config,
    log,
    options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 },
  })
  await world.channel({ models: 'm' })
  const people = [await world.user({ quota: 1e9 }), await world.user({ quota: 1e9 })]
  for (const person of people) await person.key()
  const acknowledged = new Set<string>()
  const statuses = new Map<number, number>()
  let isOver = false
  const load = people.flatMap((person) =>
    Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status, headers } = await person.asks('m', 'hi', { body: { max_tokens: 20 } })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        if (status === 200) acknowledged.add(headers.get('x-request-id') ?? '')
        else await sleep(20)
      }
    }),
  )
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(200 + 37 * round)
    await server.kill()
    await sleep(300)
    await server.start()
  }
  await expect.poll(() => world.gateway.inner.ledger.healthy()).toBe(true)
  isOver = true
  await Promise.all(load)
  await world.gateway.stop()
  const { store } = await openPostgresStore(config.DATABASE_URL, 0, silentLogger)
  const rows = await store.db.selectFrom('ledger').select('ref_id').where('kind', '=', 'consume').execute()
  const charged = rows.map(({ ref_id }) => ref_id)
  expect(acknowledged.size).toBeGreaterThan(50)
  expect([...acknowledged].filter((id) => !charged.includes(id))).toEqual([])
  expect(new Set(charged).size).toBe(charged.length)
  expect(await reconcile(store.db)).toEqual([])
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  await store.close()
})
