import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 3 } })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const capped = (max: number) => ({ setting: JSON.stringify({ max_concurrency: max }) })
const keyOf = ({ headers }: Recorded) => String(headers.authorization).replace('Bearer ', '')
const untilAsked = async (count: number) => {
  while (world.upstream.requests.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Holds responses until they are released. */
function heldBack() {
  const { promise, resolve } = Promise.withResolvers<void>()
  world.upstream.answers(async () => {
    await promise
    return { body: { choices: [{ message: { content: 'hi' } }] } }
  })
  return resolve
}

describe('a channel with a cap on requests in flight (docs/reference/selection.md#channel-settings)', () => {
  it('passes the next one on, which is logged, and refuses it where no other is left', async () => {
    const small = await world.channel({ models: 'busy', key: 'small', priority: 9, ...capped(2) })
    await world.channel({ models: 'busy', key: 'next', ...capped(1) })
    const letGo = heldBack()
    const first = [alice.asks('busy', '1'), alice.asks('busy', '2')]
    await untilAsked(2)
    const third = alice.asks('busy', '3')
    await untilAsked(3)
    expect(world.upstream.requests.map(keyOf)).toEqual(['small', 'small', 'next'])
    const refused = await alice.asks('busy', '4')
    expect([refused.status, refused.json.error.code]).toEqual([503, 'channels_saturated'])
    expect(refused.headers.get('retry-after')).toBe('1')
    letGo()
    for (const answer of await Promise.all([...first, third])) expect(answer.status).toBe(200)
    expect((await lastReceipt(world, alice.id, 4)).other.admin_info.skipped?.[0]).toEqual({
      channel: small,
      reason: 'at_capacity',
    })
    expect((await alice.asks('busy', '5')).status).toBe(200)
    expect(keyOf(world.upstream.last())).toBe('small')
  })

  it('has its slots back after failures, broken streams and callers who leave', async () => {
    await world.channel({ models: 'once', key: 'once', ...capped(1) })
    world.upstream.answers({ status: 400, body: { error: { message: 'no' } } })
    expect((await alice.asks('once', 'hi')).status).toBe(400)
    world.upstream.reset()
    world.upstream.streams(['{"choices":[{"delta":{"content":"a"}}]}'], { cutAfter: 1 })
    await alice.asks('once', 'hi', { stream: true }).catch(() => undefined)
    world.upstream.reset()
    world.upstream.streams(['{"choices":[{"delta":{"content":"a"}}]}'], { hang: true })
    const leaving = new AbortController()
    const left = alice.asks('once', 'hi', { stream: true, signal: leaving.signal }).catch(() => undefined)
    await untilAsked(1)
    leaving.abort()
    await left
    expect(await world.upstream.last().aborted).toBe(true)
    world.upstream.reset()
    expect((await alice.asks('once', 'hi')).status).toBe(200)
  })

  it('is shared by the accounts once another one was refused', async () => {
    const bob = await world.user({ quota: 1_000_000_000 })
    await world.channel({ models: 'shared', key: 'shared', ...capped(4) })
    const letGo = heldBack()
    const taken = ['1', '2', '3', '4'].map((text) => alice.asks('shared', text))
    await untilAsked(4)
    expect((await bob.asks('shared', '5')).json.error.code).toBe('channels_saturated')
    letGo()
    await Promise.all(taken)
    world.upstream.reset()
    const letGoAgain = heldBack()
    const own = ['1', '2'].map((text) => alice.asks('shared', text))
    await untilAsked(2)
    expect((await alice.asks('shared', '3')).json.error.code).toBe('channels_saturated')
    const others = bob.asks('shared', '4')
    await untilAsked(3)
    letGoAgain()
    for (const answer of await Promise.all([...own, others])) expect(answer.status).toBe(200)
    world.clock.advanceSeconds(301)
    world.upstream.reset()
    const letGoLast = heldBack()
    const alone = ['1', '2', '3', '4'].map((text) => alice.asks('shared', text))
    await untilAsked(4)
    letGoLast()
    for (const answer of await Promise.all(alone)) expect(answer.status).toBe(200)
  })
})
