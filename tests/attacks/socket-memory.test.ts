import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aCaller, type Caller, eventually } from '../gateway/relay/websockets/caller.ts'
import { aSocketVendor, type SocketVendor, say } from '../gateway/relay/websockets/socket-vendor.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const MIB = 1024 * 1024
const REALTIME = '/v1/realtime?model=gpt-realtime'
const RESPONSES = '/v1/responses'
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const tooMuch = { code: 1013, reason: 'too much is being sent at once' }
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  const options = { ModelRatio: { 'gpt-realtime': 1, 'gemini-live': 1, 'gpt-5': 1 }, RetryTimes: 0 }
  // An account may take half of it; a frame takes four times its length.
  world = await aWorld({ config: { MAX_BODY_MEMORY_MB: '16' }, options })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  await world.channel({ type: 24, base_url: vendor.url, models: 'gemini-live' })
  await world.channel({ models: 'gpt-5' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  world.upstream.reset()
  alice = await world.user({ quota: 1_000_000_000 })
})

const textOf = (mib: number) => 'a'.repeat(mib * MIB)
const setupOf = (mib: number) => ({
  setup: { model: 'models/gemini-live', systemInstruction: { parts: [{ text: textOf(mib) }] } },
})

describe('the memory of frames (docs/reference/limits.md#sockets)', () => {
  it('is taken by a set-up until its session has started', async () => {
    vendor.behaves(() => {})
    const callers: Caller[] = []
    const sendSetup = async () => {
      const caller = await aCaller(world, LIVE, alice)
      caller.send(setupOf(0.9))
      callers.push(caller)
      return caller
    }
    for (const count of [1, 2]) {
      await sendSetup()
      await eventually(() => vendor.sessions.filter(({ frames }) => frames.length > 0).length).toBe(count)
    }
    expect(await (await sendSetup()).closed).toEqual(tooMuch)
    for (const session of vendor.sessions) say(session, { setupComplete: {} })
    for (const caller of callers.slice(0, 2)) await eventually(() => caller.frames).toEqual([{ setupComplete: {} }])
    const next = await sendSetup()
    await eventually(() => vendor.sessions.length).toBe(3)
    for (const { socket } of [...callers, next]) socket.terminate()
  })

  it('is taken by a turn until its end', async () => {
    world.upstream.streams([{ type: 'response.created', response: { id: 'resp_1' } }], { hang: true })
    const [first, refused, next] = await Promise.all([1, 2, 3].map(() => aCaller(world, RESPONSES, alice)))
    first?.send({ type: 'response.create', model: 'gpt-5', input: textOf(0.9) })
    await eventually(() => world.upstream.requests.length).toBe(1)
    const long = { type: 'long', pad: textOf(1.2) }
    refused?.send(long)
    expect(await refused?.closed).toEqual(tooMuch)
    first?.socket.terminate()
    expect(await world.upstream.last().aborted).toBe(true)
    next?.send(long)
    await next?.gets('error')
    next?.socket.close()
  })

  it.each([REALTIME, RESPONSES])('is released once a frame of %s is passed on, ignored or refused', async (path) => {
    const caller = await aCaller(world, path, alice)
    for (const type of ['response.processed', 'a', 'response.processed', 'b']) caller.send({ type, pad: textOf(1.5) })
    if (path === RESPONSES) await eventually(() => caller.frames.length).toBe(2)
    else await eventually(() => vendor.last().frames.length).toBe(4)
    caller.send({ type: 'long', pad: textOf(4.1) })
    expect(await caller.closed).toEqual(tooMuch)
  })
})

it('a set-up of a Live session is at most 1 MiB long (docs/reference/streams.md#live-sessions)', async () => {
  const caller = await aCaller(world, LIVE, alice)
  caller.send(setupOf(1))
  const { code, reason } = await caller.closed
  expect(code).toBe(1008)
  expect(reason).toContain('the setup is longer than 1 MiB')
  expect(vendor.sessions).toEqual([])
})
