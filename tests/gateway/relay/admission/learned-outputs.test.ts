import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, own: 1 }, ModelPrice: {}, RetryTimes: 0 } })
  await world.channel({ models: 'gpt-4o,own', group: 'default' })
  await world.channel({ models: 'gpt-4o,own', group: 'vip', key: 'vip' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 400_000 })
  await alice.key()
})

/** Five concurrent calls for at most 100 tokens each: the number of those that found the quota to reserve. */
async function admitted(model: string): Promise<number> {
  const before = world.upstream.requests.length
  world.upstream.answers({ body: chatAnswer('hi'), delayMs: 200 })
  await Promise.all(Array.from({ length: 5 }, () => alice.asks(model, 'hi', { body: { max_tokens: 100 } })))
  return world.upstream.requests.length - before
}
async function reported(model: string, completion: number, group: string): Promise<void> {
  world.upstream.answers({ body: chatAnswer('hi', { completion }) })
  const other = await world.user({ quota: 1_000_000_000, group })
  expect((await other.asks(model, 'hi', { body: { max_tokens: 10 } })).status).toBe(200)
}

describe('an output beyond its reservation (docs/reference/billing.md#hold)', () => {
  it('raises what the next calls of its model reserve, if they may go to the same channel', async () => {
    expect(await admitted('own')).toBe(5)
    await reported('own', 300_000, 'vip')
    expect(await admitted('own')).toBe(5)
    await reported('own', 300_000, 'default')
    expect(await admitted('own')).toBeLessThan(5)
  })

  it('raises it at most to the longest output of the model, even for absurd figures', async () => {
    await reported('gpt-4o', 1_000_000_000, 'default')
    expect(await admitted('gpt-4o')).toBe(5)
  })
})
