import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { aCaller, eventually } from './caller.ts'
import { aSocketVendor } from './socket-vendor.ts'

const MIB = 1024 * 1024
const RESPONSES = '/v1/responses'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-5': 1, 'gpt-realtime': 1 } } })
  await world.channel({ models: 'gpt-5' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => vi.restoreAllMocks())

const said = (text: string) => ({ type: 'message', role: 'user', content: text })
/** About 1.6 MiB of JSON; each of its texts takes a turn of the event loop. */
const history = Array.from({ length: 8 }, () => said('a\n'.repeat(70_000)))
const create = (more: object = {}) => ({ type: 'response.create', model: 'gpt-5', store: false, ...more })
const prepare = (more: object = {}) => create({ generate: false, ...more })

/**
 * Starts measuring; the returned function gives the max number of characters parsed or written as JSON in one turn of
 * the event loop.
 */
function mostInOneTurn(): () => number {
  const [parse, write] = [JSON.parse, JSON.stringify]
  let [max, own] = [0, 0]
  let isOver = false
  const count = (length: number) => {
    own += length
    max = Math.max(max, own)
  }
  const turn = () => {
    own = 0
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  vi.spyOn(JSON, 'parse').mockImplementation((text, ...more) => {
    count(text.length)
    return parse(text, ...(more as []))
  })
  vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
    const text = write(value, ...(more as []))
    count(text?.length ?? 0)
    return text
  })
  return () => {
    isOver = true
    vi.restoreAllMocks()
    return max
  }
}

describe('a large frame (docs/reference/limits.md#sockets)', () => {
  it('that prepares a turn is read and stored in slices between others, and not repeated', async () => {
    const caller = await aCaller(world, RESPONSES, alice)
    const frame = JSON.stringify(prepare({ input: history, instructions: 'a\n'.repeat(MIB / 4) }))
    expect(frame.length).toBeGreaterThan(2.2 * MIB)
    const max = mostInOneTurn()
    caller.socket.removeAllListeners('message')
    const completed = new Promise<string>((resolve) => {
      caller.socket.on('message', (data) => {
        const text = String(data)
        if (text.startsWith('{"type":"response.completed"')) resolve(text)
      })
    })
    caller.socket.send(frame)
    const text = await completed
    expect(max()).toBeLessThan(2 * MIB)
    expect(text.length).toBeLessThan(10_000)
    expect(JSON.parse(text).response.model).toBe('gpt-5')
    caller.socket.close()
  })

  it('can be continued at once by a caller who has the last event of its turn', async () => {
    const response = (id: string, status: string) => ({ id, status, store: false, output: [], usage: null })
    for (const id of ['resp_1', 'resp_2'])
      world.upstream.streams([
        { type: 'response.created', response: response(id, 'in_progress') },
        { type: 'response.completed', response: response(id, 'completed') },
      ])
    const caller = await aCaller(world, RESPONSES, alice)
    caller.socket.once('message', () =>
      caller.socket.once('message', () => caller.send(create({ previous_response_id: 'resp_1', input: 'on' }))),
    )
    caller.send(create({ input: history }))
    await eventually(() => caller.frames.map(({ type }) => type)).toEqual([
      'response.created',
      'response.completed',
      'response.created',
      'response.completed',
    ])
    expect(world.upstream.last().json.input).toEqual([...history, { ...said('on') }])
    caller.socket.close()
  })

  it('preserves the order: the frames behind it wait', async () => {
    const caller = await aCaller(world, RESPONSES, alice)
    caller.socket.send(`{"type":"large","of":"${'x'.repeat(2 * MIB)}"}`)
    caller.socket.send('{"type":"small"}')
    caller.send(prepare({ input: [] }))
    await caller.gets('response.completed')
    const told = caller.frames.map(({ type, error }) => error?.message.match(/large|small/)?.[0] ?? type)
    expect(told).toEqual(['large', 'small', 'response.created', 'response.completed'])
    caller.socket.close()
  })

  it('is refused where it has too many values, or comes during a turn', async () => {
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send(prepare({ input: Array.from({ length: 500_000 }, () => 1) }))
    expect((await caller.gets('error')).status).toBe(413)
    world.upstream.streams([{ type: 'response.created', response: { id: 'resp_1' } }], { hang: true })
    caller.send(create({ input: 'hi' }))
    await eventually(() => world.upstream.requests.length).toBe(1)
    caller.send(create({ input: history }))
    await eventually(() => caller.frames.at(-1)?.error?.code).toBe('response_already_in_progress')
    caller.socket.terminate()
  })

  it('of a realtime session passes in its order, read in slices between others', async () => {
    const vendor = await aSocketVendor()
    onTestFinished(vendor.stop)
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    await caller.gets('session.created')
    const session = vendor.last()
    const texts = Array.from({ length: 10 }, () => 'a\n'.repeat(70_000))
    const large = JSON.stringify({ type: 'session.update', session: { texts } })
    const told: number[] = []
    session.socket.removeAllListeners('message')
    session.socket.on('message', (data) => told.push(String(data).length))
    const max = mostInOneTurn()
    for (const frame of ['{"type":"a"}', large, '{"type":"second"}', '{"type":"th"}']) caller.socket.send(frame)
    await eventually(() => told).toEqual([12, large.length, 17, 13])
    expect(max()).toBeLessThan(1.5 * MIB)
    caller.socket.close()
  })
})
