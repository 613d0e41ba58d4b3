import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aCaller, eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** Output of sessions that is neither text nor speech; the caller leaves before its figures arrive. */
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const WORDS = 'The quick brown fox jumps over the lazy dog and runs far away. '.repeat(50).trim().split(' ')
let world: World
let vendor: SocketVendor
let alice: Person
beforeAll(async () => {
  vendor = await aSocketVendor()
  const one = { 'gpt-realtime': 1, 'gemini-2.5-flash-live': 1 }
  world = await aWorld({ options: { ModelRatio: one, CompletionRatio: one, RetryTimes: 0 } })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  await world.channel({ type: 24, base_url: vendor.url, models: 'gemini-2.5-flash-live' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})

it.each(['response.mcp_call_arguments.delta', 'response.novelty.delta'])(
  'pieces of a Realtime session count: %s',
  async (type) => {
    const caller = await aCaller(world, '/v1/realtime?model=gpt-realtime', alice)
    await caller.gets('session.created')
    const session = vendor.last()
    caller.send({ type: 'response.create' })
    await eventually(() => JSON.stringify(session.frames)).toContain('response.create')
    say(session, { type: 'response.created', response: { id: 'r', conversation_id: 'c' } })
    say(session, ...WORDS.map((word) => ({ type, response_id: 'r', item_id: 'i', output_index: 0, delta: ` ${word}` })))
    await eventually(() => caller.frames.length).toBeGreaterThan(WORDS.length)
    caller.socket.close(1000)
    await session.closed
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBeGreaterThan(WORDS.length)
  },
)

it('code of a Live session counts', async () => {
  const parts = [{ executableCode: { language: 'PYTHON', code: WORDS.join(' ') } }]
  const events = [{ serverContent: { modelTurn: { parts } } }]
  vendor.behaves((session, frame) => {
    if (frame !== undefined) say(session, ...('setup' in Object(frame) ? [{ setupComplete: {} }] : events))
  })
  const caller = await aCaller(world, LIVE, alice)
  caller.send({ setup: { model: 'models/gemini-2.5-flash-live', tools: [{ codeExecution: {} }] } })
  await eventually(() => caller.frames[0]).toEqual({ setupComplete: {} })
  caller.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Run it.' }] }], turnComplete: true } })
  await eventually(() => caller.frames.length).toBe(2)
  caller.socket.close(1000)
  await vendor.last().closed
  expect((await lastReceipt(world, alice.id)).completion_tokens).toBeGreaterThan(WORDS.length)
})
