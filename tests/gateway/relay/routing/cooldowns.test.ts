import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 5 } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const keys = () => world.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer ', ''))
const limited = { status: 429, headers: { 'retry-after': '20' }, body: { error: { message: 'slow down' } } }

describe('channels that cool down (docs/reference/selection.md#cooldowns)', () => {
  it('are skipped for as long as their vendor requests, which is in the log row', async () => {
    const first = await world.channel({ models: 'pair', key: 'first', priority: 9 })
    await world.channel({ models: 'pair', key: 'second' })
    world.upstream.answers(limited, { body: { choices: [{ message: { content: 'hi' } }] } })
    for (let time = 0; time < 3; time += 1) expect((await alice.asks('pair', 'hi')).status).toBe(200)
    expect(keys()).toEqual(['first', 'second', 'second', 'second'])
    const { skipped } = (await lastReceipt(world, alice.id)).other.admin_info
    expect(skipped).toEqual([{ channel: first, reason: 'limited', status: 429, seconds: expect.any(Number) }])
    world.clock.advanceSeconds(21)
    await alice.asks('pair', 'hi')
    expect(keys().at(-1)).toBe('first')
  })

  it('are not used before their time even if no other is available, and the caller receives the time to retry', async () => {
    await world.channel({ models: 'alone', key: 'alone' })
    world.upstream.answers(limited)
    expect((await alice.asks('alone', 'hi')).status).toBe(429)
    const refused = await alice.asks('alone', 'hi')
    expect([refused.status, refused.json.error.code]).toEqual([429, 'channels_saturated'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(15)
    expect(keys()).toHaveLength(1)
  })

  it('are tried by another request after a second, while the first one still waits for its response', async () => {
    await world.channel({ models: 'slow', key: 'slow' })
    world.upstream.answers(limited, { hang: true }, { body: chatAnswer('hi') })
    expect((await alice.asks('slow', 'hi')).status).toBe(429)
    world.clock.advanceSeconds(21)
    const leaving = new AbortController()
    const trial = alice.asks('slow', 'hi', { signal: leaving.signal }).catch(() => undefined)
    await vi.waitFor(() => expect(keys()).toHaveLength(2), 10_000)
    expect((await alice.asks('slow', 'hi')).status).toBe(429)
    world.clock.advanceSeconds(1)
    expect((await alice.asks('slow', 'hi')).status).toBe(200)
    leaving.abort()
    await trial
  })

  it('give the caller the time of the one that returns first', async () => {
    await world.channel({ models: 'both', key: 'later', priority: 9 })
    await world.channel({ models: 'both', key: 'sooner' })
    world.upstream.answers({ ...limited, headers: { 'retry-after': '60' } }, limited)
    expect((await alice.asks('both', 'hi')).status).toBe(429)
    const refused = await alice.asks('both', 'hi')
    expect([refused.status, refused.json.error.code]).toEqual([429, 'channels_saturated'])
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(20)
    expect(keys()).toEqual(['later', 'sooner'])
  })

  it('are used anyway where they only failed and no other is left', async () => {
    await world.channel({ models: 'faulty', key: 'faulty' })
    world.upstream.answers({ status: 500, body: { error: { message: 'boom' } } })
    for (let time = 0; time < 5; time += 1) expect((await alice.asks('faulty', 'hi')).status).toBe(500)
    world.upstream.reset()
    expect((await alice.asks('faulty', 'hi')).status).toBe(200)
    expect((await alice.asks('faulty', 'hi')).status).toBe(200)
  })

  it('are used again at once when they have been edited', async () => {
    const id = await world.channel({ models: 'mended', key: 'mended' })
    world.upstream.answers(limited, { body: { choices: [{ message: { content: 'hi' } }] } })
    await alice.asks('mended', 'hi')
    await world.admin.put('/api/channel', { id, key: 'a-new-key' })
    expect((await alice.asks('mended', 'hi')).status).toBe(200)
    expect(keys().at(-1)).toBe('a-new-key')
  })
})
