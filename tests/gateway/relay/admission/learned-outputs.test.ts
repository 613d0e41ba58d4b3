import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aGate } from '../../../support/gates.ts'
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

const CALLS = 5

/** Makes five concurrent calls for at most 100 tokens each; returns the number of calls whose reservation succeeded. */
async function admitted(model: string): Promise<number> {
  const gate = aGate()
  gate.close()
  world.upstream.answers(async () => {
    await gate.pass()
    return { body: chatAnswer('hi') }
  })
  let refused = 0
  const calls = Array.from({ length: CALLS }, async () => {
    const { status } = await alice.asks(model, 'hi', { body: { max_tokens: 100 } })
    if (status !== 200) refused += 1
  })
  await vi.waitFor(() => expect(gate.arrived + refused).toBe(CALLS), 10_000)
  gate.open()
  await Promise.all(calls)
  return CALLS - refused
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
