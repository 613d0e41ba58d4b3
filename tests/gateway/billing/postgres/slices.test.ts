import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { openPostgresLedger } from '../../../../gateway/billing/postgres/postgres-ledger.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import type { Db } from '../../../../gateway/store/sqlite/database.ts'
import { aFolder } from '../../../process/house.ts'
import { aClock } from '../../../support/clock.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aPostgresDatabase } from '../../../support/tables.ts'
import { aWorld } from '../../../support/world.ts'

const PRICES = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } }

/** Accounts and tokens whose balance is not the sum of pool and leases, in one snapshot. */
async function unequal(db: Db): Promise<unknown[]> {
  const { rows } = await sql`
    select p.kind, p.id, p.free, l.leased, coalesce(u.quota, t.remain_quota) as quota from pool p
    left join (select kind, id, sum(amount) as leased from leases group by kind, id) l on l.kind = p.kind and l.id = p.id
    left join users u on p.kind = 0 and u.id = p.id
    left join tokens t on p.kind = 1 and t.id = p.id
    where coalesce(u.quota, t.remain_quota) <> p.free + coalesce(l.leased, 0)`.execute(db)
  return rows
}

async function leasedIn(db: Db): Promise<number> {
  const { rows } = await sql<{ leased: number }>`select coalesce(sum(abs(amount)), 0) as leased from leases`.execute(db)
  return Number(rows[0]?.leased)
}

it('a balance is the sum of pool and leases at every moment, and nothing is leased once the gateway has stopped', async () => {
  const world = await aWorld({ options: PRICES })
  await world.channel({ models: 'm' })
  const { db } = world.gateway.inner
  const alice = await world.user({ quota: 1_000_000 })
  const limited = await world.token(alice, { unlimited_quota: false, remain_quota: 500_000 })
  let isOver = false
  const samples: unknown[][] = []
  const sampling = (async () => {
    while (!isOver) {
      samples.push(await unequal(db))
      await sleep(5)
    }
  })()
  const requests = Array.from({ length: 60 }, (_, at) =>
    alice.asks('m', 'hi', { body: { max_tokens: 50 }, ...(at % 2 ? { key: limited.key } : {}) }),
  )
  const edits = Array.from({ length: 10 }, (_, at) =>
    world.admin.post('/api/user/manage', {
      id: alice.id,
      action: 'add_quota',
      mode: 'add',
      value: at % 2 ? 1000 : -1000,
    }),
  )
  for (const { status } of await Promise.all(requests)) expect(status).toBe(200)
  await Promise.all(edits)
  await world.gateway.inner.ledger.flush()
  isOver = true
  await sampling
  expect(samples.length).toBeGreaterThan(3)
  expect(samples.flat()).toEqual([])
  expect(await reconcile(db)).toEqual([])
  await world.gateway.stop()
  const { store } = await openPostgresStore(world.databaseUrl, 0, silentLogger)
  expect([await unequal(store.db), await leasedIn(store.db)]).toEqual([[], 0])
  await store.close()
})

/** A ledger of a node on a database with one account that has 1,000,000. */
async function aNode(url?: string, folder?: string) {
  const clock = aClock()
  const address = url ?? (await aPostgresDatabase(inject('postgres') ?? ''))
  const home = folder ?? (await aFolder())
  const { store, connections } = await openPostgresStore(address, 1_700_000_000, silentLogger)
  const { db } = store
  const open = (through = connections, onLow: (userId: number, left: number) => void = () => {}) =>
    openPostgresLedger({
      onLow,
      connections: through,
      db,
      folder: home,
      clock,
      log: silentLogger,
      show: String,
      isCounted: () => true,
    })
  return { clock, address, home, db, connections, open, store }
}

const someone = { username: 'ann', password: '', role: 1, display_name: '', group: 'default', created_at: 1 }
const charge = (quota: number) => ({ quota, channelId: 0, at: 1, log: null })

it('a lease whose reply was lost belongs to the node', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  let isLost = false
  const { named } = node.connections
  const losing: typeof node.connections = {
    ...node.connections,
    async named<R>(name: string, text: string, values: readonly unknown[]) {
      const rows = await named<R>(name, text, values)
      if (name === 'lease' && isLost) throw new Error('the connection was lost')
      return rows
    },
  }
  const ledger = await node.open(losing)
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  isLost = true
  const request = { requestId: 'one', userId: id, tokenId: 0, quota: 700 }
  await expect((async () => ledger.hold(request))()).rejects.toMatchObject({ code: 'storage_unavailable' })
  expect(await unequal(node.db)).toEqual([])
  isLost = false
  const hold = await ledger.hold({ ...request, requestId: 'two' })
  expect(hold.quota).toBe(700)
  hold.release()
  await ledger.close()
  expect([await unequal(node.db), await leasedIn(node.db)]).toEqual([[], 0])
  await node.store.close()
})

it('an account is not low on quota while its slice is given back and leased again', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const { named } = node.connections
  const slow: typeof node.connections = {
    ...node.connections,
    async named<R>(name: string, text: string, values: readonly unknown[]) {
      if (name === 'lease') await sleep(50)
      return named<R>(name, text, values)
    },
  }
  const low: number[] = []
  const ledger = await node.open(slow, (_, left) => low.push(left))
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const request = { userId: id, tokenId: 0, quota: 100, remindBelow: 500 }
  const hold = await ledger.hold({ ...request, requestId: 'one' })
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '2' })
  const next = Promise.resolve(ledger.hold({ ...request, requestId: 'two' }))
  await sleep(20)
  hold.settle(charge(100))
  expect(low).toEqual([])
  const second = await next
  second.settle(charge(1500))
  expect(low).toEqual([400])
  await ledger.close()
  expect(await unequal(node.db)).toEqual([])
  await node.store.close()
})

it('a charge above its reservation is taken from the pool', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const ledger = await node.open()
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const hold = await ledger.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 1000 })
  hold.settle(charge(1500))
  await ledger.flush()
  expect(await unequal(node.db)).toEqual([])
  await ledger.move({ kind: 'grant', userId: id, amount: 600, refType: 'test', refId: '2' })
  expect((await ledger.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 1000, minQuota: 1 })).quota).toBe(100)
  await ledger.close()
  expect(await unequal(node.db)).toEqual([])
  await node.store.close()
})

it('an idle gateway shows again and again that it lives', async () => {
  const node = await aNode()
  const ledger = await node.open()
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      node.clock.advance(20)
      const { rows } = await sql<{ at: string }>`select seen_at::text as at from nodes`.execute(node.db)
      return seen.add(rows[0]?.at ?? '').size
    })
    .toBeGreaterThan(2)
  await ledger.close()
  await node.store.close()
})

it('a second gateway does not start on the database while the first one lives', async () => {
  const world = await aWorld()
  const other = await aNode(world.databaseUrl)
  await expect(other.open()).rejects.toThrow(/the gateway of node .* uses the database/)
  await other.store.close()
  await world.gateway.stop()
  const next = await aNode(world.databaseUrl)
  await (await next.open()).close()
  await next.store.close()
})

it('a gateway frees what one left whose folder is lost; that one can neither lease nor charge any more', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  let isPaused = false
  const { named } = node.connections
  const pausing: typeof node.connections = {
    ...node.connections,
    named: (...statement) => (isPaused ? Promise.reject(new Error('paused')) : named(...statement)),
  }
  const first = await node.open(pausing)
  await first.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const hold = await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })
  isPaused = true
  await sql`update nodes set seen_at = now() - interval '11 s'`.execute(node.db)
  const other = await aNode(node.address)
  const second = await other.open()
  expect((await second.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 1000 })).quota).toBe(1000)
  isPaused = false
  hold.settle(charge(100))
  await first.flush()
  expect(first.healthy()).toBe(false)
  await first.close()
  await second.close()
  expect(await unequal(node.db)).toEqual([])
  for (const { store } of [node, other]) await store.close()
})

it('a gateway whose folder was copied and started elsewhere can neither lease nor charge any more', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const first = await node.open()
  await first.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const hold = await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })
  const copy = await aNode(node.address, node.home)
  const second = await copy.open()
  hold.settle(charge(100))
  await first.flush()
  await expect.poll(() => first.healthy()).toBe(false)
  expect(() => first.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 1 })).toThrow()
  const rows = await node.db.selectFrom('ledger').select('kind').execute()
  expect(rows).toEqual([{ kind: 'grant' }])
  await first.close()
  await second.close()
  expect(await unequal(node.db)).toEqual([])
  for (const { store } of [node, copy]) await store.close()
})

it('texts are stored without U+0000', async () => {
  const world = await aWorld({ options: { ...PRICES, SelfUseModeEnabled: true } })
  await world.channel({ models: 'm' })
  const alice = await world.user({ quota: 1_000_000 })
  world.upstream.answers({ status: 400, body: { error: { message: 'bad\u0000 name' } } })
  expect((await alice.asks('m', 'hi')).status).toBe(400)
  expect((await alice.asks('m\u0000', 'hi')).status).toBeGreaterThanOrEqual(400)
  await world.gateway.inner.ledger.flush()
  const rows = await world.gateway.inner.db.selectFrom('logs').select('content').where('type', '=', 5).execute()
  expect(rows.length).toBeGreaterThan(0)
  expect(await alice.put('/api/user/self', { display_name: 'A\u0000lice' })).toMatchObject({
    status: expect.any(Number),
  })
  expect(world.gateway.inner.ledger.healthy()).toBe(true)
})
