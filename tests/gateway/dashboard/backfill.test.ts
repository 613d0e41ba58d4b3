import { expect, it } from 'vitest'
import { countOlder } from '../../../gateway/billing/usage-backfill.ts'
import type { Db } from '../../../gateway/store/database.ts'
import type { NewLog } from '../../../gateway/store/schema.ts'
import { createHourSums, writeHours } from '../../../gateway/store/usage-hours.ts'
import { dataOf } from '../../support/client.ts'
import { onEachDatabase } from '../../support/databases.ts'
import { aWorld } from '../../support/world.ts'

const HOUR_S = 3600
const START = 1_700_000_000 - (1_700_000_000 % HOUR_S)
const receipt = JSON.stringify({ duration_ms: 800, frt: 100 })

const row = (place: number, more: Partial<NewLog> = {}): NewLog => ({
  user_id: 1 + (place % 3),
  username: `user-${1 + (place % 3)}`,
  created_at: START + place * 60,
  type: 2,
  model_name: `model-${place % 4}`,
  quota: place,
  prompt_tokens: place,
  completion_tokens: 1,
  is_stream: place % 2,
  token_id: 1 + (place % 5),
  other: receipt,
  request_id: `r${place}`,
  ...more,
})

async function layLog(db: Db, rows: readonly NewLog[]): Promise<void> {
  for (const table of ['logs', 'quota_data', 'usage_hours', 'latency_hours'] as const)
    await db.deleteFrom(table).execute()
  await db
    .insertInto('logs')
    .values([...rows])
    .execute()
  const newest_at = Math.max(...rows.map(({ created_at }) => created_at))
  const last = await db.selectFrom('logs').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  await db
    .updateTable('usage_backfill')
    .set({ before_id: last.id + 1, newest_at })
    .execute()
}

const totals = async (db: Db) => {
  const { count, quota, token_used } = await db
    .selectFrom('quota_data')
    .select(({ fn }) => [
      fn.sum<number>('count').as('count'),
      fn.sum<number>('quota').as('quota'),
      fn.sum<number>('token_used').as('token_used'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(count), quota: Number(quota), token_used: Number(token_used) }
}

onEachDatabase('the log of before (docs/reference/dashboard.md#what-was-before)', (db) => {
  const rows = Array.from({ length: 100 }, (_, place) => row(place))
  const sum = { count: 100, quota: 4950, token_used: 5050 }

  it('is counted in steps, once, wherever it was interrupted', async () => {
    await layLog(db(), rows)
    for (const limit of [1, 7, 30]) expect(await countOlder(db(), limit)).toBe(limit)
    expect((await totals(db())).count).toBe(38)
    for (let turn = 0; turn < 3; turn += 1) await countOlder(db(), 50)
    expect(await totals(db())).toEqual(sum)
    expect(await countOlder(db(), 50)).toBe(0)
    const kinds = await db()
      .selectFrom('usage_hours')
      .select(({ fn }) => ['kind', fn.sum<number>('quota').as('quota')])
      .groupBy('kind')
      .execute()
    expect(new Map(kinds.map(({ kind, quota }) => [kind, Number(quota)]))).toEqual(
      new Map([
        ['all', 4950],
        ['model', 4950],
        ['token', 4950],
        ['user', 4950],
      ]),
    )
  })

  it('counts a step and its place together or not at all', async () => {
    await layLog(db(), rows)
    const killed = db()
      .transaction()
      .execute(async (transaction) => {
        await writeHours(transaction, createHourSums())
        throw new Error('killed')
      })
    await expect(killed).rejects.toThrow('killed')
    await countOlder(db(), 60)
    const { before_id } = await db().selectFrom('usage_backfill').select('before_id').executeTakeFirstOrThrow()
    const left = await db()
      .selectFrom('logs')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('id', '<', before_id)
      .executeTakeFirstOrThrow()
    expect(Number(left.n) + (await totals(db())).count).toBe(100)
  })

  it('leaves out what was no request here: tests, what was imported, other types', async () => {
    await layLog(db(), [
      row(1),
      row(2, { request_id: '' }),
      row(3, { type: 3 }),
      row(4, { type: 5, other: JSON.stringify({ folded: { count: 12, first: 1, last: 2 } }) }),
    ])
    await countOlder(db(), 10)
    expect(await totals(db())).toEqual({ count: 1, quota: 1, token_used: 2 })
    const all = await db().selectFrom('usage_hours').selectAll().where('kind', '=', 'all').executeTakeFirstOrThrow()
    expect(all).toMatchObject({ count: 1, errors: 12, quota: 1 })
  })

  it('does not count a row that took the number of one that was removed', async () => {
    await layLog(db(), rows.slice(0, 10))
    await db().deleteFrom('logs').execute()
    await db()
      .insertInto('logs')
      .values(row(11, { id: 1 } as Partial<NewLog>))
      .execute()
    await countOlder(db(), 10)
    expect((await totals(db())).count).toBe(0)
  })
})

it('is counted at the start, and never twice over restarts', async () => {
  const world = await aWorld()
  const { db } = world.gateway.inner
  const alice = await world.user({ username: 'alice' })
  await db
    .insertInto('logs')
    .values(Array.from({ length: 50 }, (_, place) => row(place, { user_id: alice.id })))
    .execute()
  await db
    .updateTable('usage_backfill')
    .set({ before_id: 1_000_000, newest_at: START + HOUR_S * 24 })
    .execute()
  let running = world
  for (let turn = 0; turn < 3; turn += 1) {
    running = await running.restart()
    await expect
      .poll(async () => {
        const { db: now } = running.gateway.inner
        return (await now.selectFrom('usage_backfill').select('before_id').executeTakeFirstOrThrow()).before_id
      })
      .toBe(1)
  }
  const path = `/api/data/?start_timestamp=${START}&end_timestamp=${START + HOUR_S}&username=alice`
  const counted: { count: number }[] = dataOf(await running.admin.get(path))
  expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(50)
  expect(dataOf(await running.admin.get('/api/data/summary')).is_counting).toBe(false)
})
