import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { role, tokenStatus, userStatus } from '../../../shared/enums.ts'
import { chatAnswer } from '../../support/chat.ts'
import { aClient, dataOf } from '../../support/client.ts'
import { reconcile } from '../../support/reconcile.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

let one: World
let two: World
beforeAll(async () => {
  one = await aWorld({
    options: {
      ModelRatio: { m: 1, 'deepseek-chat': 1 },
      CompletionRatio: { m: 1 },
    },
  })
  await one.channel({ models: 'm' })
  // A type without a Responses API: the gateway stores its responses.
  await one.channel({ type: 43, models: 'deepseek-chat' })
  two = await one.node()
  await knowEachOther()
})

/** Waits until each node has counted the other one: its second sign of life follows the first. */
async function knowEachOther(): Promise<void> {
  const { db } = one.gateway.inner
  const now = sql<{ at: string }>`select clock_timestamp()::text as at`
  const [joined] = (await now.execute(db)).rows
  const beats = async () =>
    (
      await sql`select node from node_beats
        where seen_at > ${joined?.at}::text::timestamptz + interval '1 s'`.execute(db)
    ).rows.length
  while ((await beats()) < 2) await sleep(100)
}

beforeEach(() => one.upstream.reset())

const statusOf = async (person: Person) => (await person.asks('m', 'hi')).status
/** A user on both nodes, whose key both have cached. */
async function someone(quota = 1_000_000): Promise<readonly [Person, Person]> {
  const here = await one.user({ quota })
  const there = await two.same(here)
  expect([await statusOf(here), await statusOf(there)]).toEqual([200, 200])
  return [here, there]
}

describe('a change on one node is in force on the other', () => {
  it('a key that is disabled', async () => {
    const [here, there] = await someone()
    const [token] = dataOf(await here.get('/api/token'))
    dataOf(await here.put('/api/token?status_only=true', { id: token.id, status: tokenStatus.disabled }))
    await expect.poll(() => statusOf(there)).toBe(401)
  })

  it('a user who is banned', async () => {
    const [here, there] = await someone()
    dataOf(await one.admin.post('/api/user/manage', { id: here.id, action: 'disable' }))
    await expect.poll(() => statusOf(there)).toBe(403)
    const { status } = await one.gateway.inner.db
      .selectFrom('users')
      .select('status')
      .where('id', '=', here.id)
      .executeTakeFirstOrThrow()
    expect(status).toBe(userStatus.banned)
  })

  it('a role that is lowered', async () => {
    const boss = await one.user({ role: role.admin })
    const there = await two.same(boss)
    expect((await there.get('/api/user')).success).toBe(true)
    dataOf(await one.admin.post('/api/user/manage', { id: boss.id, action: 'demote' }))
    await expect.poll(async () => (await there.get('/api/user')).success).toBe(false)
  })

  it('a channel that is added and disabled, an option, a price', async () => {
    const [, there] = await someone()
    const id = await one.channel({ models: 'n' })
    await one.option('ModelRatio', { m: 1, n: 2, 'deepseek-chat': 1 })
    await expect.poll(async () => (await there.asks('n', 'hi')).status).toBe(200)
    dataOf(await one.admin.put('/api/channel', { id, status: 2 }))
    await expect.poll(async () => (await there.asks('n', 'hi')).status).toBe(503)
    await one.option('RetryTimes', 3)
    await expect.poll(() => two.gateway.inner.settings.get('RetryTimes')).toBe(3)
    await two.option('ModelRatio', { m: 5, n: 2, 'deepseek-chat': 1 })
    await expect.poll(() => one.gateway.inner.settings.get('ModelRatio').m).toBe(5)
    await one.option('ModelRatio', { m: 1, n: 2, 'deepseek-chat': 1 })
    await expect.poll(() => two.gateway.inner.settings.get('ModelRatio').m).toBe(1)
  })
})

it('a limit that is put on a key on one node limits it on the other, which has used it without', async () => {
  const owner = await one.user({ quota: 10_000_000 })
  const token = await one.token(owner)
  const there = await two.same(owner)
  const asks = async (person: Person) =>
    (await person.asks('m', 'hi', { key: token.key, body: { max_tokens: 20 } })).status
  expect([await asks(owner), await asks(there)]).toEqual([200, 200])
  // The other node leases its share in advance, not only for the next request.
  await one.gateway.inner.ledger.flush()
  await sql`update pool set wanted_at = null`.execute(one.gateway.inner.db)
  expect((await there.asks('m', 'hi', { key: token.key, body: { max_tokens: 100_000 } })).status).toBe(200)
  dataOf(await owner.put('/api/token', { id: token.id, name: token.name, unlimited_quota: false, remain_quota: 100 }))
  await expect.poll(() => asks(there)).toBe(403)
  const row = await one.gateway.inner.db
    .selectFrom('tokens')
    .select('remain_quota')
    .where('id', '=', token.id)
    .executeTakeFirstOrThrow()
  expect(row.remain_quota).toBeLessThan(100)
})

it('both charge one account, whose books are right', async () => {
  const [here, there] = await someone(100_000)
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) => (at % 2 ? here : there).asks('m', 'hi', { body: { max_tokens: 20 } })),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  await Promise.all([one, two].map(({ gateway }) => gateway.inner.ledger.flush()))
  expect(await reconcile(one.gateway.inner.db)).toEqual([])
  const { data } = await there.get('/api/user/self')
  expect(data.request_count).toBe(32)
})

it('a session that began on one node ends on both', async () => {
  const [here] = await someone()
  const elsewhere = aClient(two.url, here.identity())
  const self = async () => (await elsewhere.get('/api/user/self')).success
  expect(await self()).toBe(true)
  dataOf(await here.get('/api/user/logout'))
  expect(await self()).toBe(false)
})

it('what one node has charged counts in the budget on the other', async () => {
  const owner = await one.user({ quota: 1_000_000 })
  const token = await one.token(owner, { budgets: { day: 1000 } })
  const there = await two.same(owner)
  const asks = async (person: Person) =>
    (await person.asks('m', 'hi', { key: token.key, body: { max_tokens: 20 } })).status
  expect(await asks(there)).toBe(200)
  while ((await asks(owner)) === 200);
  expect(await asks(there)).toBe(429)
})

it('requests at the same time on both never exceed a budget', async () => {
  const [cost, limit] = [30, 300]
  one.upstream.answers({ body: chatAnswer('hi', { prompt: 10, completion: 20 }) })
  for (let round = 0; round < 5; round += 1) {
    const owner = await one.user({ quota: 1_000_000 })
    const token = await one.token(owner, { budgets: { day: limit, month: limit } })
    const there = await two.same(owner)
    const asks = async (person: Person) =>
      (await person.asks('m', 'hi', { key: token.key, body: { max_tokens: 20 } })).status
    const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => asks(at % 2 ? owner : there)))
    expect(new Set(statuses)).toEqual(new Set([200, 429]))
    // Whatever was only reserved can be used afterwards, on either node.
    while ((await asks(round % 2 ? owner : there)) === 200);
    await Promise.all([one, two].map(({ gateway }) => gateway.inner.ledger.flush()))
    const used = 1_000_000 - (await owner.quota())
    expect(used).toBeLessThanOrEqual(limit)
    expect(used).toBeGreaterThan(limit - 4 * cost)
  }
})

it('limits by minute are shared by the nodes', async () => {
  const owner = await one.user({ quota: 1_000_000 })
  const token = await one.token(owner, { requests_per_minute: 10 })
  const there = await two.same(owner)
  const asks = async (person: Person) =>
    (await person.asks('m', 'hi', { key: token.key, body: { max_tokens: 20 } })).status
  const statuses = await Promise.all(Array.from({ length: 20 }, (_, at) => asks(at % 2 ? owner : there)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
})

it('a code is redeemed once, and an invitation of one use is used once, by two nodes at the same time', async () => {
  const [here, there] = await someone()
  const keys = dataOf(await one.admin.post('/api/redemption', { name: 'race', quota: 500, count: 5 }))
  for (const key of keys) {
    const replies = await Promise.all([here, there].map((person) => person.post('/api/user/topup', { key })))
    expect(replies.filter(({ success }) => success)).toHaveLength(1)
  }
  await Promise.all([one, two].map(({ gateway }) => gateway.inner.ledger.flush()))
  expect(await reconcile(one.gateway.inner.db)).toEqual([])
})

it('a stored response and a conversation are continued on the other node at once', async () => {
  const [here, there] = await someone()
  const made = await here.calls('/v1/conversations', {})
  expect(made.status).toBe(200)
  const read = await fetch(`${two.url}/v1/conversations/${made.json.id}`, {
    headers: { authorization: `Bearer sk-${await there.key()}` },
  })
  expect(read.status).toBe(200)
  for (let turn = 0; turn < 5; turn += 1) {
    const first = await here.calls('/v1/responses', { model: 'deepseek-chat', input: 'hi' })
    expect(first.status).toBe(200)
    const input = 'go on'
    const next = await there.calls('/v1/responses', {
      model: 'deepseek-chat',
      input,
      previous_response_id: first.json.id,
    })
    expect([turn, next.status]).toEqual([turn, 200])
  }
})

it('a node that drains is not ready and has no quota in advance, but serves, until it is to resume', async () => {
  const [, there] = await someone()
  const listed = async () => dataOf(await two.admin.get('/api/node'))
  const own = async () => (await listed()).find(({ is_own }: { is_own: boolean }) => is_own)
  const ready = async ({ url }: World) => (await fetch(`${url}/readyz`)).status
  const drain = (name: string, is_draining: boolean) => one.admin.post(`/api/node/${name}/drain`, { is_draining })
  const { name } = await own()
  expect(await ready(two)).toBe(200)
  expect((await there.post(`/api/node/${name}/drain`, { is_draining: true })).success).toBe(false)
  expect((await drain('unknown', true)).success).toBe(false)
  dataOf(await drain(name, true))
  await expect.poll(() => ready(two)).toBe(503)
  expect(await ready(one)).toBe(200)
  await expect.poll(own).toMatchObject({ state: 'draining', leased_quota: 0 })
  expect(await statusOf(there)).toBe(200)
  dataOf(await drain(name, false))
  await expect.poll(() => ready(two)).toBe(200)
  expect(await own()).toMatchObject({ state: 'alive' })
})

it('root sees the nodes, and fences one that is lost, but not one that is alive', async () => {
  const three = await one.node()
  const [, there] = await someone()
  const listed = async () => dataOf(await one.admin.get('/api/node'))
  expect(await listed()).toHaveLength(3)
  expect((await listed()).filter(({ is_own }: { is_own: boolean }) => is_own)).toMatchObject([{ state: 'alive' }])
  expect((await (await two.same(there)).get('/api/node')).success).toBe(false)
  const lost = dataOf(await three.admin.get('/api/node')).find(({ is_own }: { is_own: boolean }) => is_own)
  const fence = () => one.admin.post(`/api/node/${lost.name}/fence`)
  expect(await fence()).toMatchObject({ success: false, message: expect.stringContaining('35 s') })
  expect((await one.admin.post('/api/node/unknown/fence')).success).toBe(false)
  await three.gateway.stop()
  await sql`update node_beats set seen_at = now() - interval '36 s' where node = ${lost.name}`.execute(
    one.gateway.inner.db,
  )
  await sql`insert into budget_holds (token_id, node, amount) values (1, ${lost.name}, 10)`.execute(
    one.gateway.inner.db,
  )
  const own = async () => (await listed()).find(({ name }: { name: string }) => name === lost.name)
  expect(await own()).toMatchObject({ state: 'silent', may_be_fenced: true })
  expect((await fence()).success).toBe(true)
  expect(await own()).toMatchObject({ state: 'fenced', may_be_fenced: false, leased_quota: 0 })
  const { rows: budgets } = await sql`select * from budget_holds where node = ${lost.name}`.execute(
    one.gateway.inner.db,
  )
  expect(budgets).toEqual([])
  const rows = (await one.admin.get('/api/log?p=1')).data.items
  expect(rows.filter(({ content }: { content: string }) => content.includes(lost.name))).toHaveLength(1)
})

it('a budget that is changed while it is in use counts what runs on the other node', async () => {
  const owner = await one.user({ quota: 1_000_000 })
  const token = await one.token(owner, { budgets: { day: 1500 } })
  const there = await two.same(owner)
  const asks = (person: Person, max_tokens: number) => person.asks('m', 'hi', { key: token.key, body: { max_tokens } })
  const { promise: isChanged, resolve: release } = Promise.withResolvers<void>()
  one.upstream.answers(async () => {
    await isChanged
    return { body: chatAnswer('hi', { prompt: 10, completion: 490 }) }
  })
  const running = [asks(owner, 490), asks(owner, 300)]
  await expect.poll(() => one.upstream.requests.length).toBe(2)
  const budgets = { budgets: { day: 1510 } }
  dataOf(await owner.put('/api/token', { id: token.id, name: token.name, unlimited_quota: true, ...budgets }))
  await expect.poll(async () => (await asks(there, 300)).status).toBe(429)
  release()
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200])
})
