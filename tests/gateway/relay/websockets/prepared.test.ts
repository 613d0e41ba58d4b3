import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { inputAfter } from '../../../../gateway/relay/websockets/responses/create-event.ts'
import { listOf, storedItems } from '../../../../gateway/relay/websockets/responses/memory.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { aCaller, type Caller } from './caller.ts'

const RESPONSES = '/v1/responses'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-5': 1 } } })
  await world.channel({ models: 'gpt-5' })
})
beforeEach(async () => {
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => vi.restoreAllMocks())

const prepare = (more: object = {}) => ({
  type: 'response.create',
  model: 'gpt-5',
  generate: false,
  input: [],
  ...more,
})
const said = (text: string) => ({ type: 'message', role: 'user', content: text })
const idAfter = async (caller: Caller, asked: object): Promise<string> => {
  const from = caller.frames.length
  caller.send(asked)
  return (await caller.gets('response.completed', from)).response.id
}

describe('a turn that is prepared (docs/reference/streams.md#responses-over-websocket)', () => {
  it('reads and writes nothing of those before it', async () => {
    const caller = await aCaller(world, RESPONSES, alice)
    const long = 'x'.repeat(200_000)
    let id = await idAfter(caller, prepare({ input: [said(long)] }))
    const parsing = vi.spyOn(JSON, 'parse')
    const writing = vi.spyOn(JSON, 'stringify')
    for (let turn = 0; turn < 3; turn += 1)
      id = await idAfter(caller, prepare({ previous_response_id: id, store: false, input: [said('more')] }))
    const isLong = (text: unknown) => typeof text === 'string' && text.length >= long.length
    expect(parsing.mock.calls.filter(([text]) => isLong(text))).toHaveLength(0)
    expect(writing.mock.results.filter(({ value }) => isLong(value))).toHaveLength(0)
    caller.socket.close()
  })

  it('shares what it goes on from, without what only a stored one has where it stores nothing', async () => {
    const before = await storedItems([said('rules')])
    expect(await inputAfter(before, { input: [], store: false })).toBe(before)
    expect((await inputAfter(before, { input: 'more' }))[0]).toBe(before[0])
    const stored = [
      ...before,
      ...(await storedItems([{ id: 'msg_1', ...said('hi') }])),
      ...(await storedItems([{ type: 'item_reference' }])),
    ]
    const bare = await inputAfter(stored, { input: 'more', store: false })
    expect(JSON.parse(String(listOf(bare)))).toEqual([said('rules'), said('hi'), said('more')])
    expect(JSON.parse(String(listOf(await inputAfter(stored, {}))))).toHaveLength(3)
  })

  it('is written in turns where it is large, to the same bytes', async () => {
    const items = Array.from({ length: 12_000 }, (_, at) => ({ id: `msg_${at}`, ...said(`“${at}”`) }))
    const long = said('é\n'.repeat(100_000))
    for (const all of [items, [long], [...items, long, { type: 'item_reference' }, long]]) {
      const [large, small] = await Promise.all([storedItems(all, true), storedItems(all)])
      expect(large[0]?.text.equals(small[0]?.text ?? Buffer.alloc(0))).toBe(true)
      expect(large[0]?.bare.equals(small[0]?.bare ?? Buffer.alloc(0))).toBe(true)
    }
  })

  it('counts as a request of its token, and of its account', async () => {
    const token = await world.token(alice, { requests_per_minute: 2 })
    const caller = await aCaller(world, RESPONSES, alice, { key: token.key })
    for (let turn = 0; turn < 2; turn += 1) await idAfter(caller, prepare())
    caller.send(prepare())
    expect(await caller.gets('error')).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded' } })
    caller.socket.close()

    await world.option('ModelRequestRateLimitSuccessCount', 2)
    await world.option('ModelRequestRateLimitEnabled', true)
    const other = await aCaller(world, RESPONSES, await world.user({ quota: 1_000_000 }))
    for (let turn = 0; turn < 2; turn += 1) await idAfter(other, prepare())
    other.send(prepare())
    expect(await other.gets('error')).toMatchObject({ status: 429, error: { code: 'rate_limit_exceeded' } })
    other.socket.close()
    await world.option('ModelRequestRateLimitEnabled', false)
  })
})
