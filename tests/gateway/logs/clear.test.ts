import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, type World } from '../../support/world.ts'

const NOW = 1_750_000_000
let world: World

beforeAll(async () => {
  world = await aWorld({ clock: aClock(NOW * 1000) })
})
beforeEach(async () => {
  await world.gateway.inner.ledger.flush()
  await world.gateway.inner.db.deleteFrom('logs').execute()
})

describe('clearing the log (docs/reference/logs.md#clearing)', () => {
  it('deletes rows made before the time, however many, and answers how many', async () => {
    await old(250)
    for (const type of [1, 4, 5]) note({ type, created_at: NOW - 1000 })
    note({ created_at: NOW - 500, content: 'exactly then' })

    expect(dataOf(await world.admin.delete(`/api/log?target_timestamp=${NOW - 500}`))).toBe(253)

    expect((await rows()).map(({ content }) => content)).toEqual(['exactly then', '253 logs cleaned up'])
  })

  it('leaves audit rows of the last 180 days, and its preview counts without them', async () => {
    const DAY = 86_400
    note({ type: 3, created_at: NOW - 180 * DAY - 1, content: 'long ago' })
    note({ type: 3, created_at: NOW - 180 * DAY, content: 'not so long ago' })
    await old(2)
    const before = `target_timestamp=${NOW}`
    expect(dataOf(await world.admin.get(`/api/log/clearing?${before}`)).total).toBe(3)
    expect(dataOf(await world.admin.delete(`/api/log?${before}`))).toBe(3)
    expect((await rows()).map(({ content }) => content)).toEqual(['not so long ago', '3 logs cleaned up'])
  })

  it('leaves a row with the count, and with the name of the administrator only for administrators', async () => {
    const assistant = await world.user({ username: 'assistant', role: 10 })
    await old(3)
    dataOf(await assistant.delete(`/api/log/?target_timestamp=${NOW}`))

    const { items } = dataOf(await world.admin.get('/api/log?type=3'))
    expect(items).toMatchObject([{ user_id: 0, username: '', content: '3 logs cleaned up', created_at: NOW }])
    expect(JSON.parse(items[0].other)).toEqual({ admin_info: { actor: { id: assistant.id, username: 'assistant' } } })
    expect(items[0].content).not.toContain('assistant')
  })

  it('includes charged requests that are not yet written', async () => {
    note({ created_at: NOW - 10 })
    expect(dataOf(await world.admin.delete(`/api/log?target_timestamp=${NOW}`))).toBe(1)
  })

  it('needs a time that is not in the future', async () => {
    await old(1)
    for (const time of [
      '',
      '?target_timestamp=',
      '?target_timestamp=0',
      '?target_timestamp=-5',
      `?target_timestamp=${NOW + 1}`,
      '?target_timestamp=soon',
    ])
      expect((await world.admin.delete(`/api/log${time}`)).message).toBe('Please select the log record time')
    expect(await rows()).toHaveLength(1)
  })

  it('is for administrators', async () => {
    await old(1)
    const alice = await world.user()
    expect((await alice.delete(`/api/log?target_timestamp=${NOW}`)).success).toBe(false)
    expect((await world.visitor.delete(`/api/log?target_timestamp=${NOW}`)).status).toBe(401)
    expect((await alice.get('/api/log/clearing')).message).toBe('You do not have permission to do this')
    expect((await world.visitor.get('/api/log/clearing')).status).toBe(401)
    expect(await rows()).toHaveLength(1)
  })

  it('lets others work meanwhile', async () => {
    await old(5000)
    const clearing = world.admin.delete(`/api/log?target_timestamp=${NOW}`)
    const status = await world.visitor.get('/api/status')
    expect(status.success).toBe(true)
    expect(dataOf(await clearing)).toBe(5000)
  })
})

describe('the progress of the clearing (docs/reference/logs.md#clearing)', () => {
  const state = async (before: number) => dataOf(await world.admin.get(`/api/log/clearing?target_timestamp=${before}`))

  it('announces the number of rows beforehand', async () => {
    await old(3)
    note({ created_at: NOW - 10 })
    expect(await state(NOW - 100)).toEqual({ total: 3, has_more: false, running: null })
    expect(await state(NOW)).toMatchObject({ total: 4 })
    expect(await state(0)).toMatchObject({ total: 0 })
  })

  it('is reported while it runs, and only one runs at a time', async () => {
    await old(20_000)
    const clearing = world.admin.delete(`/api/log?target_timestamp=${NOW}`)
    const { running } = await until(
      () => state(0),
      ({ running }) => running !== null,
    )
    expect(running.before).toBe(NOW)
    expect((await world.admin.delete(`/api/log?target_timestamp=${NOW}`)).message).toBe(
      'A log cleanup is already running',
    )
    expect(dataOf(await clearing)).toBe(20_000)
    expect(await state(0)).toMatchObject({ running: null })
  })

  it('ends when the caller hangs up, with a row about the removed rows', async () => {
    await old(40_000)
    const hangsUp = new AbortController()
    const clearing = fetch(`${world.url}/api/log?target_timestamp=${NOW}`, {
      method: 'DELETE',
      headers: world.admin.identity(),
      signal: hangsUp.signal,
    })
    await until(
      () => state(0),
      ({ running }) => running?.removed > 0,
    )
    hangsUp.abort()
    await expect(clearing).rejects.toThrow('aborted')
    await until(
      () => state(0),
      ({ running }) => running === null,
    )
    const left = await rows()
    const [told] = left.filter(({ type }) => type === 3)
    expect(left.length).toBeGreaterThan(1)
    expect(told?.content).toBe(`${40_001 - left.length} logs cleaned up`)
  })
})

/** Polls until `fits` accepts the result. */
async function until<T>(ask: () => Promise<T>, fits: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (fits(answer)) return answer
  }
}

const note = (fields: object) =>
  world.gateway.inner.auditLog.record({ user_id: 1, created_at: NOW, type: 2, ...fields })

async function old(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 5000) await insert(Math.min(left, 5000))
}

async function insert(count: number): Promise<void> {
  const row = { user_id: 1, created_at: NOW - 1000, type: 2 }
  await world.gateway.inner.db
    .insertInto('logs')
    .values(Array.from({ length: count }, () => row))
    .execute()
}

const rows = () => world.gateway.inner.db.selectFrom('logs').selectAll().orderBy('id').execute()
