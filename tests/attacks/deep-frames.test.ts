import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Logger } from '../../gateway/base/log/logger.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aCaller, eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const REALTIME = '/v1/realtime?model=gpt-realtime'
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
/** Deep enough to overflow recursive JSON walkers and writers, yet short. */
const lists = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const objects = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`

const faults: (readonly [message: string, facts: Readonly<Record<string, unknown>>])[] = []
const ignore = () => {}
const log: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (message, facts = {}) => void faults.push([message, facts]),
}
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    log,
    options: {
      ModelRatio: { 'gpt-realtime': 1, 'gemini-live': 1 },
      RetryTimes: 0,
      CheckSensitiveEnabled: true,
      CheckSensitiveOnPromptEnabled: true,
      SensitiveWords: 'zebra',
    },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  await world.channel({ base_url: vendor.url, models: 'gemini-live', type: 24 })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  faults.length = 0
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => vi.restoreAllMocks())

async function opened() {
  const caller = await aCaller(world, REALTIME, alice)
  await caller.gets('session.created')
  return { caller, session: vendor.last() }
}

describe('a short frame that is nested too deeply (docs/reference/limits.md#sockets)', () => {
  it.each([
    ['tools', `{"type":"session.update","session":{"tools":${lists}}}`],
    ['the tools of an answer', `{"type":"response.create","response":{"tools":${objects}}}`],
    ['an item', `{"type":"conversation.item.create","item":${objects}}`],
    ['what nobody reads', `{"type":"anything","of":${lists}}`],
  ])('is refused in a realtime session, which continues: %s', async (_, frame) => {
    const { caller, session } = await opened()
    caller.send(frame)
    const { error } = await caller.gets('error')
    expect(error.message).toContain('too deeply nested')
    caller.send({ type: 'response.create' })
    await eventually(() => session.frames.length).toBe(1)
    expect(session.frames[0]).toEqual({ type: 'response.create' })
    caller.socket.close()
  })

  it.each([
    ['what functions return', `{"toolResponse":{"functionResponses":${lists}}}`],
    ['tools', `{"setup":{"tools":${objects}}}`],
  ])('ends a live session with the reason: %s', async (_, frame) => {
    vendor.behaves(({ socket }, sent) => void (sent && socket.send('{"setupComplete":{}}')))
    const caller = await aCaller(world, LIVE, alice)
    caller.send({ setup: { model: 'models/gemini-live' } })
    await eventually(() => caller.frames.length).toBe(1)
    caller.send(frame)
    expect(await caller.closed).toMatchObject({ code: 1008 })
    expect(vendor.last().frames).toHaveLength(1)
    expect(faults).toEqual([])
  })

  it('is refused where it requests a turn, and the socket continues', async () => {
    const caller = await aCaller(world, '/v1/responses', alice)
    caller.send(`{"type":"response.create","model":"gpt-4o","input":${lists}}`)
    expect((await caller.gets('error')).error.message).toContain('too deeply nested')
    caller.send({ type: 'response.create', model: 'gpt-4o', generate: false, input: [] })
    await caller.gets('response.completed')
    caller.socket.close()
  })

  it.each([
    ['text', false],
    ['bytes', true],
  ])('of a vendor ends the session as its fault, in a frame of %s', async (_, binary) => {
    const { caller, session } = await opened()
    session.socket.send(`{"type":"error","error":{"message":"x","deep":${lists}}}`, { binary })
    expect((await caller.closed).code).toBe(1011)
    expect(caller.frames.at(-1)).toMatchObject({ type: 'error', error: { type: 'upstream_error' } })
    expect(faults).toEqual([])
  })

  it('of a vendor does so where it is the vendor’s first', async () => {
    vendor.behaves(({ socket }, sent) => {
      if (sent === undefined) socket.send(`{"type":"error","error":{"message":"x","code":${objects}}}`)
    })
    const caller = await aCaller(world, REALTIME, alice)
    expect((await caller.closed).code).toBe(1011)
    expect(caller.frames).toHaveLength(1)
    expect(faults).toEqual([])
  })
})

describe('a fault of the gateway while it reads a frame (docs/reference/security.md#input)', () => {
  const write = JSON.stringify
  /** Makes JSON.stringify fail for values that contain the mark. */
  const failAt = (mark: string) =>
    vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
      const text = write(value, ...(more as []))
      if (text?.includes(mark) && !text.includes('event_id')) throw new TypeError('a fault')
      return text
    })

  it('ends the session of the caller whose frame it was, and is logged under its request', async () => {
    const { caller } = await opened()
    const { caller: other, session } = await opened()
    const { entries } = Object
    vi.spyOn(Object, 'entries').mockImplementation((value) => {
      if (Object.hasOwn(value, 'faulty')) throw new TypeError('a fault')
      return entries(value)
    })
    caller.socket.send('{"type":"session.update","session":{"tools":[{"faulty":1}]}}')
    expect((await caller.closed).code).toBe(1011)
    const told = caller.frames.at(-1)
    expect(told).toMatchObject({ type: 'error', error: { code: 'internal_error' } })
    const requestId = String(told.event_id).slice('evt_'.length)
    expect(faults).toEqual([['a frame failed', { requestId, error: expect.any(TypeError) }]])
    vi.restoreAllMocks()
    say(session, { type: 'response.created', response: { id: 'r' } })
    await other.gets('response.created')
    other.socket.close()
  })

  it('does so where the frame was the vendor’s, with the earlier usage charged', async () => {
    const { caller, session } = await opened()
    const usage = { input_tokens: 10, output_tokens: 10 }
    say(session, { type: 'response.done', response: { id: 'r', status: 'completed', usage } })
    await caller.gets('response.done')
    failAt('"faulty"')
    session.socket.send('{"type":"error","error":{"message":"upstream-key","code":"faulty"}}')
    expect((await caller.closed).code).toBe(1011)
    expect(faults.map(([message]) => message)).toEqual(['a frame failed'])
    expect((await lastReceipt(world, alice.id)).quota).toBeGreaterThan(0)
  })
})
