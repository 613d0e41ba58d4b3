import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { chatAnswer } from '../support/chat.ts'
import { aGate } from '../support/gates.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let mallory: Person
let alice: Person
beforeAll(async () => {
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: '64' }, options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: 'm' })
  await world.channel({ models: 'c', type: channelTypes.anthropic.id })
  mallory = await world.user({ quota: 1_000_000_000 })
  alice = await world.user({ quota: 1_000_000_000 })
  await Promise.all([mallory.key(), alice.key()])
})
beforeEach(() => world.upstream.reset())

/** Lists within lists: 390,000 values of two bytes, which take 21 MB once they are parsed. */
const LISTS = `[${Array.from({ length: 6500 }, () => `${'['.repeat(60)}${']'.repeat(60)}`).join(',')}]`
const bodyOf = (model: string) =>
  `{"model":"${model}","max_tokens":9,"messages":[{"role":"user","content":"hi"}],"x":${LISTS}}`

describe('many small values in a body (docs/reference/limits.md#bodies)', () => {
  it.each([
    ['a relayed request', '/v1/chat/completions', 'm'],
    ['token counting', '/v1/messages/count_tokens', 'c'],
  ])('count with the memory that they take once they are read: %s', async (_, path, model) => {
    const gate = aGate()
    gate.close()
    world.upstream.answers(async () => {
      await gate.pass()
      return { body: { ...chatAnswer('hi'), input_tokens: 5 } }
    })
    const calls = Array.from({ length: 4 }, async () => (await mallory.calls(path, bodyOf(model))).status)
    // An account may take at most as much memory as it leaves free: one such body of 26 MB, not two.
    const refused = await Promise.race(calls)
    expect(refused).toBe(503)
    await vi.waitFor(() => expect(world.upstream.requests).toHaveLength(1), 10_000)
    gate.open()
    expect((await Promise.all(calls)).toSorted()).toEqual([200, 503, 503, 503])
    expect((await alice.asks('m', 'hi')).status).toBe(200)
  })
})
