import { expect, it } from 'vitest'
import { createHourSums, writeHours } from '../../../../gateway/store/log/usage-hours.ts'
import { usageReadings } from '../../../../gateway/store/log/usage-readings.ts'
import { onEachDatabase } from '../../../support/databases.ts'

const HOUR_S = 3600
const START = 1_700_000_000 - (1_700_000_000 % HOUR_S)
const range = { from: START, to: START + HOUR_S }

onEachDatabase('readings of usage by hour (docs/reference/dashboard.md#calls)', (db) => {
  const usage = () => usageReadings(db())
  const rowsOf = async (query: ReturnType<ReturnType<typeof usage>['byModel']>) => {
    const { rows } = await db().executeQuery(query)
    return JSON.parse(Buffer.from(rows[0]?.text ?? '').toString())
  }
  const lay = async () => {
    for (const table of ['quota_data', 'usage_hours', 'latency_hours', 'logs', 'tokens', 'users'] as const)
      await db().deleteFrom(table).execute()
    const sums = createHourSums()
    const common = {
      username: 'alice',
      model: 'a "quoted" model',
      errors: 0,
      tokens: 10,
      firstByteMs: 100,
      tookMs: 800,
    }
    for (const [place, userId] of [1, 1, 2].entries())
      sums.add({ ...common, at: START + place * 1800, userId, tokenId: userId + 10, quota: 100 * (place + 1) })
    sums.add({ ...common, at: START, userId: 2, tokenId: 12, quota: 0, tokens: 0, errors: 3 })
    await writeHours(db(), sums)
    // Adds the same hours again, as a later commit would.
    await writeHours(db(), sums)
  }

  it('are JSON of all users by model, and of one by id or name', async () => {
    await lay()
    const all = await rowsOf(usage().byModel(range))
    expect(all).toMatchObject([
      { id: 0, user_id: 0, username: '', model_name: 'a "quoted" model', created_at: START, count: 4, quota: 600 },
      { created_at: START + HOUR_S, count: 2, quota: 600, token_used: 20 },
    ])
    const own = await rowsOf(usage().ofUser({ id: 1 }, range))
    expect(own).toMatchObject([{ user_id: 1, username: 'alice', count: 4, quota: 600, token_used: 40 }])
    expect(await rowsOf(usage().ofUser({ name: 'alice' }, range))).toHaveLength(2)
    expect(await rowsOf(usage().ofUser({ id: 9 }, range))).toEqual([])
  })

  it('add up, rank and summarize how long requests took', async () => {
    await lay()
    expect(await usage().total('all', '', range)).toEqual({ count: 6, errors: 6, quota: 1200, token_used: 60 })
    expect(await usage().total('user', '2', range)).toEqual({ count: 2, errors: 6, quota: 600, token_used: 20 })
    expect(await usage().dearest('user', range)).toEqual([
      { subject: '1', count: 4, quota: 600 },
      { subject: '2', count: 2, quota: 600 },
    ])
    expect(await usage().dearest('model', range, 1)).toEqual([{ subject: 'a "quoted" model', count: 4, quota: 600 }])
    const token = { user_id: 2, key_hash: 'h', key: 'k', created_time: 0, name: 'ci' }
    await db()
      .insertInto('tokens')
      .values({ id: 12, ...token })
      .execute()
    expect(await usage().dearest('token', range, 2)).toEqual([{ subject: '12', count: 2, quota: 600 }])
    expect(await usage().dearest('token', range, 1)).toEqual([])
    await db()
      .insertInto('users')
      .values({ id: 2, username: 'bob', password: '', role: 1, status: 1, created_at: 0 })
      .execute()
    const names = await usage().names('token', [12, 99])
    expect(names).toEqual(new Map([[12, { name: 'ci', username: 'bob' }]]))
    expect((await usage().latency('first', range)).map(({ count }) => count)).toEqual([6])
    expect(await usage().spentSince(1, START)).toEqual({ quota: 600, first: START })
    const { own, rows } = await usage().ofTokens(2, [11, 12], [START, START + HOUR_S])
    expect(own).toEqual([12])
    expect(
      rows.map(({ created_at, count, errors }) => [Number(created_at), Number(count), Number(errors)]).sort(),
    ).toEqual([
      [START, 0, 6],
      [START + HOUR_S, 2, 0],
    ])
  })

  it('sample the newest requests of one user from the log', async () => {
    await lay()
    const row = { user_id: 1, created_at: START + 5, type: 2, use_time: 3, is_stream: 0, other: '' }
    await db()
      .insertInto('logs')
      .values([
        { ...row, other: JSON.stringify({ duration_ms: 2500, frt: 400 }), is_stream: 1 },
        { ...row, other: '' },
        { ...row, other: JSON.stringify({ duration_ms: 700, frt: 600 }), type: 2 },
        { ...row, user_id: 2 },
        { ...row, type: 5 },
      ])
      .execute()
    const found = await usage().sample(1, range)
    expect(found.map(({ tookMs, firstByteMs }) => [tookMs, firstByteMs]).sort()).toEqual([
      [2500, 400],
      [3000, -1],
      [700, -1],
    ])
  })
})
