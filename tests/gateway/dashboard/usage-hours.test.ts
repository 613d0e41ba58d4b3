import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../support/chat.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'

const HOUR_S = 3600
type Row = {
  user_id: number
  username: string
  model_name: string
  created_at: number
  token_used: number
  count: number
  quota: number
}

const options = { ModelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075 }, CompletionRatio: { 'gpt-4o': 4 } }
const models = { models: 'gpt-4o,gpt-4o-mini' }

/** Each user's charges by hour, in the ledger and in the hourly usage. */
async function books({ gateway }: World) {
  const { db, ledger } = gateway.inner
  await ledger.flush()
  const hour = sql<number>`created_at - created_at % 3600`
  const charged = await db
    .selectFrom('ledger')
    .select(({ fn }) => [
      'user_id',
      hour.as('hour'),
      fn.sum<number>('amount').as('amount'),
      fn.countAll<number>().as('n'),
    ])
    .where('kind', '=', 'consume')
    .groupBy(['user_id', hour])
    .orderBy('user_id')
    .orderBy('hour')
    .execute()
  const counted = await db
    .selectFrom('quota_data')
    .select(({ fn }) => [
      'user_id',
      'created_at as hour',
      fn.sum<number>('quota').as('quota'),
      fn.sum<number>('count').as('n'),
    ])
    .groupBy(['user_id', 'created_at'])
    .orderBy('user_id')
    .orderBy('hour')
    .execute()
  const ofKind = (kind: string) =>
    db
      .selectFrom('usage_hours')
      .select(({ fn }) => [fn.sum<number>('quota').as('quota'), fn.sum<number>('count').as('n')])
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
  return {
    charged: charged.map(({ amount, ...row }) => ({ ...row, quota: 0 - amount })),
    counted,
    kinds: [await ofKind('all'), await ofKind('user'), await ofKind('model')],
  }
}

async function expectAgreement(world: World) {
  const { charged, counted, kinds } = await books(world)
  const tidy = (rows: typeof counted) => rows.map(({ user_id, hour, quota, n }) => [user_id, hour, quota, n])
  expect(tidy(counted)).toEqual(tidy(charged))
  const all = {
    quota: counted.reduce((sum, row) => sum + row.quota, 0),
    n: counted.reduce((sum, row) => sum + row.n, 0),
  }
  if (counted.length > 0) for (const kind of kinds) expect(kind).toEqual(all)
  return all
}

const range = (world: World, hours: number) => {
  const now = Math.floor(world.clock.now() / 1000)
  return `start_timestamp=${now - hours * HOUR_S}&end_timestamp=${now + HOUR_S}`
}

describe('usage by hour (docs/reference/dashboard.md#usage-by-hour)', () => {
  let world: World
  let alice: Person
  let bob: Person
  beforeAll(async () => {
    // Fixed time: half past an hour.
    world = await aWorld({ options, clock: aClock(1_795_231_800_000) })
    await world.channel(models)
    alice = await world.user({ quota: 10_000_000, username: 'alice' })
    bob = await world.user({ quota: 10_000_000, username: 'bob' })
    for (let hour = 0; hour < 3; hour += 1) {
      for (const [person, model, times] of [
        [alice, 'gpt-4o', 3],
        [alice, 'gpt-4o-mini', 1],
        [bob, 'gpt-4o', 2],
      ] as const)
        for (let turn = 0; turn < times; turn += 1) {
          world.upstream.answers({ body: chatAnswer('hi', { prompt: 101 + hour, completion: 7 + turn }) })
          expect((await person.asks(model, 'hi', { body: { stream: false } })).status).toBe(200)
        }
      world.clock.advance(HOUR_S * 1000)
    }
  })

  it('equals the ledger for each user and hour, to the unit', async () => {
    expect((await expectAgreement(world)).n).toBe(18)
  })

  it('includes settled charges that are not written yet: the last request is in the answer', async () => {
    const before: Row[] = dataOf(await alice.get(`/api/data/self?${range(world, 5)}`))
    world.upstream.answers({ body: chatAnswer('hi', { prompt: 11, completion: 3 }) })
    await alice.asks('gpt-4o', 'hi')
    const after: Row[] = dataOf(await alice.get(`/api/data/self?${range(world, 5)}`))
    const sum = (rows: Row[]) => rows.reduce((total, { count }) => total + count, 0)
    expect(sum(after)).toBe(sum(before) + 1)
    const now = Math.floor(world.clock.now() / 1000)
    expect(after.at(-1)).toMatchObject({
      created_at: now - (now % HOUR_S),
      count: 1,
      token_used: 14,
      username: 'alice',
    })
  })

  it('shows a user only their own rows, for any name in the request', async () => {
    const rows: Row[] = dataOf(await bob.get(`/api/data/self?${range(world, 9)}&username=alice`))
    expect(rows.map(({ user_id }) => user_id)).toEqual(rows.map(() => bob.id))
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    expect((await bob.get(`/api/data/?${range(world, 9)}`)).success).toBe(false)
    expect((await world.visitor.get(`/api/data/self?${range(world, 9)}`)).status).toBe(401)
  })

  it('shows administrators all users together by model and hour, or the rows of one', async () => {
    const all: Row[] = dataOf(await world.admin.get(`/api/data/?${range(world, 9)}`))
    expect(new Set(all.map(({ model_name, created_at }) => `${model_name} ${created_at}`)).size).toBe(all.length)
    expect(all.every(({ user_id, username }) => user_id === 0 && username === '')).toBe(true)
    const { n, quota } = await expectAgreement(world)
    expect(all.reduce((sum, { count }) => sum + count, 0)).toBe(n)
    expect(all.reduce((sum, row) => sum + row.quota, 0)).toBe(quota)
    const ofBob: Row[] = dataOf(await world.admin.get(`/api/data/?${range(world, 9)}&username=bob`))
    expect(ofBob.reduce((sum, { count }) => sum + count, 0)).toBe(6)
    expect(ofBob.every(({ username }) => username === 'bob')).toBe(true)
    expect(dataOf(await world.admin.get(`/api/data/?${range(world, 9)}&username=nobody`))).toEqual([])
  })

  it('has hours that begin in the range, both ends included', async () => {
    const [first]: Row[] = dataOf(await bob.get(`/api/data/self?${range(world, 9)}`))
    const at = first?.created_at ?? 0
    const ask = async (from: number, to: number): Promise<number[]> =>
      dataOf(await bob.get(`/api/data/self?start_timestamp=${from}&end_timestamp=${to}`)).map(
        (row: Row) => row.created_at,
      )
    expect(await ask(at, at)).toEqual([at])
    expect(await ask(at + 1, at + HOUR_S - 1)).toEqual([])
    expect(await ask(at - 1, at + HOUR_S)).toEqual([at, at + HOUR_S])
  })

  it('takes one month for one’s own rows and 90 days for administrators', async () => {
    const ask = (who: Pick<Person, 'get'>, path: string, span: number) =>
      who.get(`${path}?start_timestamp=1700000000&end_timestamp=${1_700_000_000 + span}`)
    expect((await ask(alice, '/api/data/self', 2_592_000)).success).toBe(true)
    expect(await ask(alice, '/api/data/self', 2_592_001)).toMatchObject({
      success: false,
      message: 'The time range cannot exceed one month',
    })
    expect((await ask(world.admin, '/api/data/', 7_776_000)).success).toBe(true)
    expect((await ask(world.admin, '/api/data/', 7_776_001)).message).toBe('The time range cannot exceed 90 days')
    expect((await ask(alice, '/api/data/self/summary', 2_592_001)).success).toBe(false)
  })

  it('stays with the books where consumption is not logged', async () => {
    await world.option('LogConsumeEnabled', false)
    const before = await expectAgreement(world)
    world.upstream.answers({ body: chatAnswer('hi', { prompt: 50, completion: 5 }) })
    await bob.asks('gpt-4o-mini', 'hi')
    expect((await expectAgreement(world)).n).toBe(before.n + 1)
    const rows: Row[] = dataOf(await bob.get(`/api/data/self?${range(world, 1)}`))
    expect(rows.at(-1)).toMatchObject({ model_name: 'gpt-4o-mini', token_used: 55 })
    await world.option('LogConsumeEnabled', true)
  })

  it('is recorded only while DataExportEnabled', async () => {
    const before = (await expectAgreement(world)).n
    await world.option('DataExportEnabled', false)
    expect((await world.visitor.get('/api/status')).data.enable_data_export).toBe(false)
    await alice.asks('gpt-4o', 'hi')
    await world.option('DataExportEnabled', true)
    const { counted } = await books(world)
    expect(counted.reduce((sum, { n }) => sum + n, 0)).toBe(before)
  })
})

describe('charges that a killed run left in its journal', () => {
  it('are counted when they are written, once', async () => {
    const world = await aWorld({ options })
    await world.channel(models)
    const alice = await world.user({ quota: 10_000_000 })
    world.upstream.answers({ body: chatAnswer('hi', { prompt: 10, completion: 2 }) })
    await alice.asks('gpt-4o', 'hi')
    const again = await world.restart()
    expect((await expectAgreement(again)).n).toBe(1)
  })
})
