import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { silentLogger } from '../../../../gateway/base/log/logger.ts'
import { openPostgresStore } from '../../../../gateway/store/postgres/postgres-store.ts'
import { dataOf } from '../../../support/client.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aWorld } from '../../../support/world.ts'
import { aNode, charge, leasedIn, someone, unequal } from './node.ts'

const PRICES = { ModelRatio: { m: 1 }, CompletionRatio: { m: 1 } }

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
    world.admin.put('/api/user/batch', { ids: [alice.id], amount: at % 2 ? 1000 : -1000 }),
  )
  for (const { status } of await Promise.all(requests)) expect(status).toBe(200)
  for (const edit of await Promise.all(edits)) expect(dataOf(edit).changed).toBe(1)
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

it.each(['at once', 'after the next lease'])(
  'a lease that arrives after the node has given it up has no effect (%s)',
  async (when) => {
    const node = await aNode()
    const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
    const late: (() => Promise<unknown>)[] = []
    let isSlow = false
    const { named } = node.connections
    const slow: typeof node.connections = {
      ...node.connections,
      async named<R>(name: string, text: string, values: readonly unknown[]): Promise<R[]> {
        if (name !== 'lease' || !isSlow) return named<R>(name, text, values)
        late.push(() => named(name, text, values).catch(() => {}))
        throw Object.assign(new Error('no response'), { code: '08006' })
      },
    }
    const ledger = await node.open(slow)
    const grant = (refId: string) => ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId })
    const hold = async (requestId: string, quota: number) => ledger.hold({ requestId, userId: id, tokenId: 0, quota })
    await grant('1')
    ;(await hold('one', 1000)).release()
    await grant('2')
    isSlow = true
    await expect(hold('two', 10)).rejects.toMatchObject({ code: 'storage_unavailable' })
    isSlow = false
    const rest = when === 'at once' ? undefined : await hold('three', 2000)
    for (const arrive of late) await arrive()
    expect((rest ?? (await hold('three', 2000))).quota).toBe(2000)
    await expect(hold('four', 1)).rejects.toMatchObject({ code: 'insufficient_user_quota' })
    expect([late.length > 0, await unequal(node.db), await leasedIn(node.db)]).toEqual([true, [], 2000])
    await ledger.close()
    await node.store.close()
  },
)

it('charges that follow a group whose reply was lost are written too, and none is written twice', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  let lost = 0
  const { named } = node.connections
  const losing: typeof node.connections = {
    ...node.connections,
    async named<R>(name: string, text: string, values: readonly unknown[]) {
      const rows = await named<R>(name, text, values)
      if (name === 'commit' && lost-- > 0) throw new Error('the connection was lost')
      return rows
    },
  }
  const ledger = await node.open(losing)
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const requests = ['one', 'two', 'three', 'four']
  const holds = await Promise.all(
    requests.map((requestId) => ledger.hold({ requestId, userId: id, tokenId: 0, quota: 10 })),
  )
  lost = 2
  for (const [at, hold] of holds.entries()) {
    hold.settle(charge(at + 1))
    await ledger.flush()
  }
  await ledger.flush()
  const rows = await node.db
    .selectFrom('ledger')
    .select(['ref_id', 'amount'])
    .where('kind', '=', 'consume')
    .orderBy('id')
    .execute()
  expect(rows).toEqual(requests.map((ref_id, at) => ({ ref_id, amount: -at - 1 })))
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
  const ledger = await node.open(slow, { onLow: (_, left) => low.push(left) })
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

it('a node that gives quota back leases all of it again, and not only what a request needs', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const ledger = await node.open()
  for (const refId of ['1', '2']) {
    await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId })
    const hold = await ledger.hold({ requestId: refId, userId: id, tokenId: 0, quota: 10 })
    expect(hold.extend(900)).toBe(true)
    hold.release()
  }
  await ledger.close()
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

it('a slice stays as long as something is reserved from it, also 0, however long that takes', async () => {
  const node = await aNode()
  const { id } = await node.db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  const ledger = await node.open()
  await ledger.move({ kind: 'grant', userId: id, amount: 1000, refType: 'test', refId: '1' })
  const reserve = (requestId: string, quota: number) => ledger.hold({ requestId, userId: id, tokenId: 0, quota })
  const [free, stream] = [await reserve('free', 0), await reserve('stream', 100)]
  node.clock.advance(61_000)
  // Several ticks of the node.
  await sleep(1000)
  expect(stream.extend(300)).toBe(true)
  stream.settle(charge(400))
  free.settle(charge(400))
  await expect(Promise.resolve().then(() => reserve('more', 300))).rejects.toMatchObject({
    code: 'insufficient_user_quota',
  })
  const last = await reserve('last', 200)
  last.release()
  await ledger.close()
  expect([await unequal(node.db), await leasedIn(node.db)]).toEqual([[], 0])
  await node.store.close()
})
