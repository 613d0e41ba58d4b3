import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import type { Hold, Ledger } from '../../../../gateway/billing/ledger.ts'
import { FENCE_SECONDS, fenceNode, listNodes } from '../../../../gateway/billing/postgres/membership.ts'
import { reconcile } from '../../../support/reconcile.ts'
import { aNode, charge, leasedIn, pausable, someone, unequal } from './node.ts'

type Node = Awaited<ReturnType<typeof aNode>>

async function anAccount({ db }: Node, quota: number, ledger: Ledger): Promise<number> {
  const { id } = await db.insertInto('users').values(someone).returning('id').executeTakeFirstOrThrow()
  await ledger.move({ kind: 'grant', userId: id, amount: quota, refType: 'test', refId: String(id) })
  return id
}

/** Lets the database believe that it has not heard a node for longer than a fence requires. */
const silence = ({ db }: Node, node: string) =>
  sql`update node_beats set seen_at = now() - interval '36 s' where node = ${node}`.execute(db)

const nodeNames = async ({ connections }: Node) => (await listNodes(connections)).map(({ id }) => id)

it('an idle node shows again and again that it lives', async () => {
  const node = await aNode()
  const ledger = await node.open()
  const seen = new Set<string>()
  await expect
    .poll(async () => {
      node.clock.advance(1000)
      const { rows } = await sql<{ at: string }>`select seen_at::text as at from node_beats`.execute(node.db)
      return seen.add(rows[0]?.at ?? '').size
    })
    .toBeGreaterThan(2)
  await ledger.close()
  await node.store.close()
})

it('a node spends what another one holds and does not use', async () => {
  const one = await aNode()
  const first = await one.open()
  const id = await anAccount(one, 1_000_000, first)
  const two = await aNode(one.address)
  const second = await two.open()
  const before = await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 1000 })
  expect(await leasedIn(one.db)).toBe(1_000_000)
  const after = await second.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 900_000 })
  expect([before.quota, after.quota]).toEqual([1000, 900_000])
  after.settle(charge(900_000))
  before.settle(charge(1000))
  await expect((async () => second.hold({ requestId: 'x', userId: id, tokenId: 0, quota: 99_001 }))()).rejects.toThrow()
  const last = await second.hold({ requestId: 'y', userId: id, tokenId: 0, quota: 99_000 })
  expect(last.quota).toBe(99_000)
  last.release()
  await first.close()
  await second.close()
  expect([await unequal(one.db), await leasedIn(one.db), await reconcile(one.db)]).toEqual([[], 0, []])
  for (const { store } of [one, two]) await store.close()
})

it('an account that three nodes spend to its end is never overdrawn, and less than one reservation is left', async () => {
  const HOLD = 2000
  const one = await aNode()
  const nodes = [one, await aNode(one.address), await aNode(one.address)]
  const ledgers = await Promise.all(nodes.map((node) => node.open()))
  const [first] = ledgers
  if (!first) throw new Error('there is no node')
  const id = await anAccount(one, 300_000, first)
  const samples: unknown[] = []
  let isOver = false
  const sampling = (async () => {
    while (!isOver) {
      samples.push(...(await unequal(one.db)))
      await sleep(5)
    }
  })()
  const spend = async (ledger: Ledger, name: string) => {
    for (let count = 0; ; count += 1) {
      let hold: Hold
      try {
        hold = await ledger.hold({ requestId: `${name} ${count}`, userId: id, tokenId: 0, quota: HOLD })
      } catch (error) {
        expect(error).toMatchObject({ code: 'insufficient_user_quota' })
        return count
      }
      await sleep(12 + (count % 5))
      hold.settle(charge(1000 + ((count * 37) % 1000)))
    }
  }
  const served = await Promise.all(
    ledgers.flatMap((ledger, at) => [0, 1].map((loop) => spend(ledger, `${at} ${loop}`))),
  )
  await Promise.all(ledgers.map((ledger) => ledger.flush()))
  isOver = true
  await sampling
  const { quota } = await one.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()
  expect(samples).toEqual([])
  expect(Math.min(...served)).toBeGreaterThan(0)
  expect(quota).toBeGreaterThanOrEqual(0)
  expect(quota).toBeLessThan(HOLD)
  await Promise.all(ledgers.map((ledger) => ledger.close()))
  expect([await unequal(one.db), await leasedIn(one.db), await reconcile(one.db)]).toEqual([[], 0, []])
  for (const { store } of nodes) await store.close()
})

it('a key with less than a request reserves gets what it has, also if another node holds the account’s quota', async () => {
  const one = await aNode()
  const first = await one.open()
  const id = await anAccount(one, 100_000, first)
  const token = { user_id: id, key_hash: 'hash', key: 'sealed', name: 'limited', created_time: 1, remain_quota: 500 }
  const { id: tokenId } = await one.db
    .insertInto('tokens')
    .values({ ...token, unlimited_quota: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  ;(await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })).release()
  const two = await aNode(one.address)
  const second = await two.open()
  const request = { requestId: 'two', userId: id, tokenId, quota: 1000 }
  expect((await second.hold({ ...request, minQuota: 400 })).quota).toBe(500)
  await expect((async () => second.hold({ ...request, minQuota: 600 }))()).rejects.toMatchObject({
    code: 'pre_consume_token_quota_failed',
  })
  await first.close()
  await second.close()
  for (const { store } of [one, two]) await store.close()
})

it('a stream extends its reservation with quota that another node does not use', async () => {
  const one = await aNode()
  const first = await one.open()
  const id = await anAccount(one, 1000, first)
  ;(await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })).release()
  const two = await aNode(one.address)
  const second = await two.open()
  const hold = await second.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 100 })
  for (let more = 1; more < 9; more += 1) await expect.poll(() => hold.extend(100)).toBe(true)
  expect(hold.quota).toBe(900)
  hold.settle(charge(900))
  await first.close()
  await second.close()
  expect([await unequal(one.db), await leasedIn(one.db), await reconcile(one.db)]).toEqual([[], 0, []])
  for (const { store } of [one, two]) await store.close()
})

it('a node that was paused and fenced admits no request with its old slices, and its charges are written late', async () => {
  const one = await aNode()
  const paused = pausable(one.connections)
  const first = await one.open(paused.connections)
  const [name = ''] = await nodeNames(one)
  const id = await anAccount(one, 1000, first)
  const running = await first.hold({ requestId: 'running', userId: id, tokenId: 0, quota: 100 })
  const settled = await first.hold({ requestId: 'settled', userId: id, tokenId: 0, quota: 100 })
  const two = await aNode(one.address)
  const second = await two.open()
  expect(await fenceNode(two.connections, name, FENCE_SECONDS)).toBe('alive')
  paused.state.isPaused = true
  settled.settle(charge(100))
  await silence(one, name)
  expect(await fenceNode(two.connections, name, FENCE_SECONDS)).toBe('fenced')
  const rest = await second.hold({ requestId: 'rest', userId: id, tokenId: 0, quota: 950 })
  rest.settle(charge(950))
  await second.flush()
  one.clock.advance(31_000)
  paused.state.isPaused = false
  const next = (async () => first.hold({ requestId: 'next', userId: id, tokenId: 0, quota: 100 }))()
  await expect(next).rejects.toMatchObject({
    code: expect.stringMatching(/insufficient_user_quota|storage_unavailable/),
  })
  running.settle(charge(60))
  await expect
    .poll(async () => {
      await first.flush()
      const rows = await one.db.selectFrom('ledger').select('ref_id').where('kind', '=', 'consume').execute()
      return rows.map(({ ref_id }) => ref_id).toSorted()
    })
    .toEqual(['rest', 'running', 'settled'])
  const { quota } = await one.db.selectFrom('users').select('quota').where('id', '=', id).executeTakeFirstOrThrow()
  expect(quota).toBe(1000 - 100 - 950 - 60)
  await first.close()
  await second.close()
  expect([await unequal(one.db), await leasedIn(one.db), await reconcile(one.db)]).toEqual([[], 0, []])
  for (const { store } of [one, two]) await store.close()
})

it('a group that is written, but whose response a fenced node did not get, is not written again', async () => {
  const one = await aNode()
  let isLost = false
  const losing: typeof one.connections = {
    ...one.connections,
    async named<R>(name: string, text: string, values: readonly unknown[]) {
      const rows = await one.connections.named<R>(name, text, values)
      if (name === 'commit' && isLost) throw new Error('the connection was lost')
      return rows
    },
  }
  const first = await one.open(losing)
  const [name = ''] = await nodeNames(one)
  const id = await anAccount(one, 1000, first)
  const hold = await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })
  isLost = true
  hold.settle(charge(100))
  await first.flush()
  await silence(one, name)
  expect(await fenceNode(one.connections, name, FENCE_SECONDS)).toBe('fenced')
  isLost = false
  one.clock.advance(2000)
  await expect.poll(() => first.flush().then(() => first.healthy())).toBe(true)
  const next = async () => first.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 900 })
  await expect
    .poll(() =>
      next().then(
        ({ quota }) => quota,
        () => 0,
      ),
    )
    .toBe(900)
  const rows = await one.db.selectFrom('ledger').select('amount').where('kind', '=', 'consume').execute()
  expect(rows).toEqual([{ amount: -100 }])
  expect(await unequal(one.db)).toEqual([])
  await first.close()
  await one.store.close()
})

it('slices serve callers for 30 s while the database is away; then they are refused, and served again at once', async () => {
  const node = await aNode()
  const paused = pausable(node.connections)
  const ledger = await node.open(paused.connections)
  const id = await anAccount(node, 1000, ledger)
  const ask = async (requestId: string) => ledger.hold({ requestId, userId: id, tokenId: 0, quota: 10 })
  ;(await ask('before')).release()
  paused.state.isPaused = true
  await sleep(600)
  node.clock.advance(29_000)
  ;(await ask('away')).settle(charge(10))
  await ledger.flush()
  ;(await ask('away still')).settle(charge(10))
  node.clock.advance(2000)
  await expect(ask('too late')).rejects.toMatchObject({ code: 'storage_unavailable' })
  paused.state.isPaused = false
  await expect
    .poll(() =>
      ask('again').then(
        ({ quota }) => quota,
        () => 0,
      ),
    )
    .toBe(10)
  await ledger.flush()
  const rows = await node.db.selectFrom('ledger').select('ref_id').where('kind', '=', 'consume').execute()
  expect(rows.map(({ ref_id }) => ref_id)).toEqual(['away', 'away still'])
  await ledger.close()
  await node.store.close()
})

it('a statement that locks accounts for long is not taken for a server that is away', async () => {
  const node = await aNode()
  const ledger = await node.open()
  const id = await anAccount(node, 1000, ledger)
  const hold = await ledger.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 10 })
  const blocker = new Client(node.address)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('lock table users in share row exclusive mode')
  hold.settle(charge(10))
  const transaction = node.db.transaction().execute((running) => sql`select pg_sleep(6)`.execute(running))
  await sleep(5500)
  expect(ledger.isReady()).toBe(true)
  ;(await ledger.hold({ requestId: 'two', userId: id, tokenId: 0, quota: 10 })).release()
  await transaction
  await blocker.query('rollback')
  await blocker.end()
  await expect
    .poll(() => ledger.flush().then(() => node.db.selectFrom('ledger').select('amount').execute()))
    .toContainEqual({
      amount: -10,
    })
  await ledger.close()
  await node.store.close()
})

it('a node that was silent for NODE_LOST_AFTER is fenced by another one, and not before', async () => {
  const one = await aNode()
  const paused = pausable(one.connections)
  const first = await one.open(paused.connections)
  const [name = ''] = await nodeNames(one)
  const id = await anAccount(one, 1000, first)
  ;(await first.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })).release()
  paused.state.isPaused = true
  const two = await aNode(one.address)
  const second = await two.open(two.connections, { lostAfter: 60 })
  const stateOf = async () => (await listNodes(two.connections)).find(({ id }) => id === name)
  await silence(one, name)
  two.clock.advance(2000)
  await sleep(600)
  expect(await stateOf()).toMatchObject({ fencedAt: null, leased: 1000 })
  await sql`update node_beats set seen_at = now() - interval '61 s' where node = ${name}`.execute(one.db)
  const seen = async () => {
    const { rows } = await sql`select seen_at::text from node_beats where node = ${second.nodes.own}`.execute(one.db)
    return JSON.stringify(rows)
  }
  const beats = async (advanceMs: number) => {
    const before = await seen()
    two.clock.advance(advanceMs)
    await expect.poll(seen).not.toBe(before)
  }
  // The second node has not heard the database for long enough: the database may have been away from all nodes.
  for (let heardMs = 2000; heardMs < 56_000; heardMs += 4500) await beats(4500)
  expect(await stateOf()).toMatchObject({ fencedAt: null, leased: 1000 })
  await beats(4500)
  await beats(4500)
  await expect.poll(stateOf).toMatchObject({ fencedAt: expect.any(Number), leased: 0 })
  await first.close()
  await second.close()
  for (const { store } of [one, two]) await store.close()
})

it('a node that ends without having written its charges does not count as stopped in order', async () => {
  const node = await aNode()
  const ledger = await node.open()
  const id = await anAccount(node, 1000, ledger)
  const hold = await ledger.hold({ requestId: 'one', userId: id, tokenId: 0, quota: 100 })
  const full = `create function full_() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$`
  await sql.raw(full).execute(node.db)
  await sql.raw('create trigger full_ before insert on ledger for each row execute function full_()').execute(node.db)
  hold.settle(charge(100))
  await ledger.close()
  expect(await listNodes(node.connections)).toMatchObject([{ seenAt: expect.toSatisfy((at) => at > 0) }])
  await sql.raw('drop trigger full_ on ledger').execute(node.db)
  const again = await node.open()
  await again.flush()
  await again.close()
  expect(await node.db.selectFrom('ledger').select('amount').execute()).toContainEqual({ amount: -100 })
  expect(await listNodes(node.connections)).toMatchObject([{ seenAt: 0 }])
  await node.store.close()
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

it('a node that stops leaves no reservation of a budget behind, although one is being published', async () => {
  const node = await aNode()
  const ledger = await node.open()
  const other = new Client(node.address)
  await other.connect()
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock((29559::bigint << 40) + 7)')
  const publishing = ledger.nodes.budgets?.publish(7, 100, 0)
  const waiting = async () => {
    const { rows } = await other.query(
      `select 1 from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`,
    )
    return rows.length
  }
  await expect.poll(waiting).toBe(1)
  const closing = ledger.close()
  await sleep(100)
  await other.query('commit')
  await Promise.all([publishing, closing])
  expect((await other.query('select * from budget_holds')).rows).toEqual([])
  await expect(ledger.nodes.budgets?.publish(7, 100, 0)).rejects.toThrow()
  await other.end()
  await node.store.close()
})
