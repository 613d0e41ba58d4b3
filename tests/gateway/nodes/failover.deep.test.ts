import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../gateway/store/postgres/postgres-store.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aSwitchedAddress } from '../../support/switched-address.ts'
import { aWorld, type World } from '../../support/world.ts'
import { unequal } from '../billing/postgres/node.ts'

/** Two nodes under load on a primary server with a standby. */
async function underLoad(how: Readonly<{ isSynchronous: boolean }>) {
  const primary = await startPostgres({ fsync: true })
  onTestFinished(primary.stop)
  const direct = new URL(await primary.database())
  const standby = await primary.standby(how)
  onTestFinished(standby.stop)
  const address = await aSwitchedAddress(primary.port)
  const url = new URL(direct)
  url.port = String(address.port)
  const one = await aWorld({
    config: { DATABASE_URL: url.href },
    options: { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 }, RetryTimes: 0 },
  })
  await one.channel({ models: 'm' })
  const two = await one.node()
  const people = [await one.user({ quota: 1e9 }), await one.user({ quota: 1e9 })]
  const callers = [...people, ...(await Promise.all(people.map((person) => two.same(person))))]
  for (const person of callers) expect((await person.asks('m', 'hi')).status).toBe(200)
  const acknowledged = new Set<string>()
  const statuses = new Set<number>()
  let isOver = false
  const load = callers.flatMap((person) =>
    Array.from({ length: 2 }, async () => {
      while (!isOver) {
        const { status, headers } = await person.asks('m', 'hi', { body: { max_tokens: 20 } })
        statuses.add(status)
        if (status === 200) acknowledged.add(headers.get('x-request-id') ?? '')
        else await sleep(20)
      }
    }),
  )
  return {
    ...{ primary, standby, address, one, two, callers, acknowledged, statuses },
    async end() {
      isOver = true
      await Promise.all(load)
    },
    /** The ids of the charges, once all nodes have stopped. */
    async charged() {
      direct.port = String(standby.port)
      const { store } = await openPostgresStore(direct.href, 0, silentLogger)
      const rows = await store.db.selectFrom('ledger').select('ref_id').where('kind', '=', 'consume').execute()
      expect([await reconcile(store.db), await unequal(store.db)]).toEqual([[], []])
      await store.close()
      return rows.map(({ ref_id }) => ref_id)
    },
  }
}

const areHealthy = (...nodes: readonly World[]) => nodes.every(({ gateway }) => gateway.inner.ledger.healthy())

it('a failover to a synchronous standby loses no charge and none is charged twice', async () => {
  const drill = await underLoad({ isSynchronous: true })
  const { primary, standby, address, one, two, callers, acknowledged, statuses } = drill
  await expect.poll(() => acknowledged.size).toBeGreaterThan(100)
  await primary.kill()
  // Nodes reach the standby while it still refuses to write.
  address.switchTo(standby.port)
  await sleep(1000)
  await standby.promote()
  const before = acknowledged.size
  await expect.poll(() => areHealthy(one, two)).toBe(true)
  await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 100)
  await drill.end()
  for (const person of callers) expect((await person.asks('m', 'hi')).status).toBe(200)
  await Promise.all([one.gateway.stop(), two.gateway.stop()])
  const charged = await drill.charged()
  expect([...acknowledged].filter((id) => !charged.includes(id))).toEqual([])
  expect(new Set(charged).size).toBe(charged.length)
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
})

it('a failover to a standby that lags loses the commits that it lacks; restarted nodes go on, with equal books', async () => {
  const drill = await underLoad({ isSynchronous: false })
  const { primary, standby, address, one, two, callers, acknowledged, statuses } = drill
  await expect.poll(() => acknowledged.size).toBeGreaterThan(100)
  await standby.pause()
  const known = acknowledged.size
  await expect.poll(() => acknowledged.size).toBeGreaterThan(known + 100)
  await drill.end()
  // The nodes have nothing left to write, and have emptied their journals.
  await Promise.all([one, two].map(({ gateway }) => gateway.inner.ledger.flush()))
  await primary.kill()
  await standby.promote()
  address.switchTo(standby.port)
  // The nodes whose commits are missing notice it, and admit no request until they are restarted.
  const refused = async () => Promise.all(callers.map(async (person) => (await person.asks('m', 'hi')).status))
  await expect.poll(refused).toEqual([503, 503, 503, 503])
  for (const node of [one, two]) {
    const again = await node.restart()
    for (const person of callers.slice(0, 2))
      expect((await (await again.same(person)).asks('m', 'hi')).status).toBe(200)
    await again.gateway.stop()
  }
  const charged = await drill.charged()
  expect([...acknowledged].filter((id) => !charged.includes(id)).length).toBeGreaterThan(0)
  expect(new Set(charged).size).toBe(charged.length)
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
})
