import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { aCaller, type Caller, eventually, refused } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: {
      ModelRatio: { 'gemini-live': 2, 'gemini-two': 1, 'gemini-2.5-flash-live': 1 },
      CompletionRatio: { 'gemini-live': 4, 'gemini-two': 1, 'gemini-2.5-flash-live': 1 },
      AudioRatio: { 'gemini-live': 6 },
      AudioCompletionRatio: { 'gemini-live': 2 },
      RetryTimes: 1,
    },
  })
  const channel = { type: 24, base_url: vendor.url }
  await world.channel({ ...channel, models: 'gemini-live', model_mapping: '{"gemini-live":"gemini-2.5-live"}' })
  await world.channel({ ...channel, models: 'gemini-2.5-flash-live' })
  await world.channel({ ...channel, models: 'gemini-two', priority: 1 })
  await world.channel({ ...channel, models: 'gemini-two', key: 'second-key' })
  await world.channel({ models: 'gpt-realtime' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: GIVEN })
})

const setup = (model = 'models/gemini-live') => ({
  setup: { model, generationConfig: { responseModalities: ['AUDIO'] } },
})
const ask = { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello there' }] }], turnComplete: true } }
const sound = (seconds: number) => Buffer.alloc(48_000 * seconds).toString('base64')
const speaks = { serverContent: { modelTurn: { parts: [{ inlineData: { mimeType: 'audio/pcm', data: sound(1) } }] } } }
const over = { serverContent: { turnComplete: true } }
const usageMetadata = {
  promptTokenCount: 200,
  responseTokenCount: 100,
  totalTokenCount: 300,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 50 },
    { modality: 'AUDIO', tokenCount: 150 },
  ],
  responseTokensDetails: [{ modality: 'AUDIO', tokenCount: 100 }],
}
/** (50 + 150 × 6 + 100 × 6 × 2) × 2 */
const CHARGE = (50 + 900 + 1200) * 2
const answers = (...events: object[]) =>
  vendor.behaves((session, frame) => {
    if (frame === undefined) return
    say(session, ...(Object(frame).setup ? [{ setupComplete: {} }] : events))
  })
const spent = async () => GIVEN - (await alice.quota())
const begun = async (path = LIVE, opening = {}, model = 'models/gemini-live'): Promise<Caller> => {
  const caller = await aCaller(world, path, alice, opening)
  caller.send(setup(model))
  await eventually(() => caller.frames[0]).toEqual({ setupComplete: {} })
  return caller
}
const ended = async (caller: Caller) => {
  caller.socket.close(1000)
  await vendor.last().closed
  return lastReceipt(world, alice.id)
}

describe('a session of Gemini’s Live API (docs/reference/streams.md#live-sessions)', () => {
  it('is set up under the upstream’s name of the model, passes frames unchanged and charges its turns once', async () => {
    answers(speaks, { usageMetadata: { ...usageMetadata, responseTokenCount: 40 } }, speaks, { ...over, usageMetadata })
    const caller = await begun()
    expect(vendor.last().frames[0]).toEqual(setup('models/gemini-2.5-live'))
    caller.send('{"clientContent": {"turns":[{"parts":[{"text":"Hi"}]}], "big":12345678901234567890}}')
    await eventually(() => caller.frames.length).toBe(5)
    caller.send(ask)
    await eventually(() => caller.frames.length).toBe(9)
    expect(caller.frames[8]).toEqual({ ...over, usageMetadata })
    const receipt = await ended(caller)
    expect(await spent()).toBe(2 * CHARGE)
    expect(receipt).toMatchObject({ model_name: 'gemini-live', quota: 2 * CHARGE, prompt_tokens: 400, is_stream: 1 })
    expect(receipt.other).toMatchObject({ ws: true, audio_input: 300, audio_output: 200, ended: 'complete' })
    expect(recomputed(receipt)).toBe(receipt.quota)
    expect(vendor.last().path).toBe(LIVE)
    expect(vendor.last().headers['x-goog-api-key']).toBe('upstream-key')
  })

  it('takes frames of bytes, as the vendor sends them, and passes those that came before the channel', async () => {
    vendor.behaves(({ socket }, frame) => {
      if (frame !== undefined) socket.send(Buffer.from(JSON.stringify({ ...over, usageMetadata })), { binary: true })
    })
    const caller = await aCaller(world, LIVE, alice)
    caller.send(setup())
    caller.send(ask)
    await eventually(() => caller.frames.length).toBe(2)
    expect(JSON.parse(String(caller.frames[0]))).toEqual({ ...over, usageMetadata })
    expect(vendor.last().frames[1]).toEqual(ask)
    await ended(caller)
  })

  it.each([
    ['in a query', async () => begun(`${LIVE}?key=sk-${await alice.key()}`, { headers: { authorization: '' } })],
    [
      'in the vendor’s header',
      async () => begun(LIVE, { headers: { authorization: '', 'x-goog-api-key': await alice.key() } }),
    ],
  ])('takes the key %s', async (_, open) => {
    answers(over)
    await ended(await open()).catch(() => undefined)
    expect(vendor.sessions).toHaveLength(1)
  })

  it('bills the part of a turn up to a call, and usage that comes after the end', async () => {
    const toolCall = { functionCalls: [{ id: 'a', name: 'clock', args: {} }] }
    answers({ toolCall, usageMetadata }, speaks, over, { usageMetadata }, { usageMetadata })
    const caller = await begun()
    caller.send(ask)
    await eventually(() => caller.frames.length).toBe(6)
    expect(await ended(caller)).toMatchObject({ quota: 2 * CHARGE })
  })

  it('bills a model that is paid by prompt one search for every answer that searched', async () => {
    const searched = { turnComplete: true, groundingMetadata: { webSearchQueries: ['weather', 'news'] } }
    const figures = { promptTokenCount: 100, responseTokenCount: 10, totalTokenCount: 110 }
    answers({ serverContent: searched, usageMetadata: figures })
    const caller = await begun(LIVE, {}, 'models/gemini-2.5-flash-live')
    for (let turn = 1; turn <= 3; turn += 1) {
      caller.send(ask)
      await eventually(() => caller.frames.length).toBe(1 + turn)
    }
    const receipt = await ended(caller)
    expect(receipt.other).toMatchObject({ web_search_call_count: 3, web_search_price: 35 })
    expect(receipt.quota).toBe(3 * 110 + (3 * 35 * 500_000) / 1000)
    expect(recomputed(receipt)).toBe(receipt.quota)
  })

  it('estimates a turn without usage', async () => {
    answers(speaks, over)
    const caller = await begun()
    const data = Buffer.alloc(64_000).toString('base64')
    caller.send({ realtime_input: { audio: { data, mime_type: 'audio/pcm;rate=16000' } } })
    await eventually(() => caller.frames.length).toBe(3)
    const receipt = await ended(caller)
    expect(receipt.other).toMatchObject({ usage_source: 'estimated', audio_input: 50, audio_output: 25 })
    expect(recomputed(receipt)).toBe(receipt.quota)
  })

  it('goes to another channel where the first closes before it begins', async () => {
    vendor.behaves(({ socket, headers }, frame) => {
      if (frame === undefined) return
      if (headers['x-goog-api-key'] === 'second-key') socket.send('{"setupComplete":{}}')
      else socket.close(1011, 'Internal error encountered.')
    })
    const caller = await aCaller(world, LIVE, alice)
    caller.send(setup('models/gemini-two'))
    await eventually(() => caller.frames[0]).toEqual({ setupComplete: {} })
    expect(vendor.last().headers['x-goog-api-key']).toBe('second-key')
    expect(vendor.last().frames[0]).toEqual(setup('models/gemini-two'))
    caller.socket.close()
  })
})

it('a first frame that has a member twice is not sent', async () => {
  const caller = await aCaller(world, LIVE, alice)
  caller.send('{"setup":{"model":"models/gemini-live","model":"models/gemini-two"}}')
  expect(await caller.closed).toMatchObject({ code: 1008 })
})

it('a prompt that nobody can pay for does not reach the vendor', async () => {
  const poor = await world.user({ quota: 4 * CHARGE })
  answers(over)
  const caller = await aCaller(world, LIVE, poor)
  caller.send(setup())
  await eventually(() => caller.frames[0]).toEqual({ setupComplete: {} })
  caller.send({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'word '.repeat(20_000) }] }] } })
  expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
  expect(vendor.last().frames).toHaveLength(1)
  expect(await poor.quota()).toBe(4 * CHARGE)
})

it('searches that are reported late leave the reservation for the next prompt as it is', async () => {
  const poor = await world.user({ quota: 300_000 })
  const figures = { promptTokenCount: 100_000, responseTokenCount: 10, totalTokenCount: 100_010 }
  const searched = { serverContent: { groundingMetadata: { webSearchQueries: ['weather'] } } }
  const words = { serverContent: { modelTurn: { parts: [{ text: 'It rains.' }] } } }
  answers(words, { ...over, usageMetadata: figures }, searched)
  const caller = await aCaller(world, LIVE, poor)
  caller.send(setup())
  caller.send(ask)
  await eventually(() => caller.frames.length).toBe(4)
  caller.send(ask)
  expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
  expect(caller.frames).toHaveLength(4)
  expect((await balancesOf(world, poor.id, 300_000)).balanced).toBe(true)
})

describe('a session that does not begin', () => {
  it.each([
    ['without a model', { setup: {} }, /model/],
    ['without a setup', { clientContent: {} }, /model/],
    ['for a model that nobody has', setup('models/gemini-none'), /gemini-none/],
    [
      'that writes its model in two ways',
      '{"setup":{"model":"models/gemini-two","Model":"models/gemini-live"}}',
      /Model/,
    ],
    ['that has two set-ups', '{"setup":{"model":"models/gemini-two"},"Setup":{"model":"models/gemini-live"}}', /Setup/],
    ['for a model of another dialect', setup('models/gpt-realtime'), /gpt-realtime/],
  ])('%s is closed with the reason', async (_, frame, reason) => {
    const caller = await aCaller(world, LIVE, alice)
    caller.send(frame)
    expect((await caller.closed).reason).toMatch(reason)
    expect(vendor.sessions).toHaveLength(0)
    expect(await spent()).toBe(0)
  })

  it('reports the vendor’s reason, and costs nothing', async () => {
    vendor.behaves(({ socket }, frame) => {
      if (frame !== undefined) socket.close(1007, 'Request contains an invalid argument.')
    })
    const caller = await aCaller(world, LIVE, alice)
    caller.send(setup())
    const { code, reason } = await caller.closed
    expect([code, reason]).toEqual([1008, expect.stringContaining('Request contains an invalid argument.')])
    expect(await spent()).toBe(0)
    expect((await receiptsOf(world, alice.id)).at(-1)).toMatchObject({ type: 5, model_name: 'gemini-live' })
  })

  it('that names a data store of the provider’s account is closed, and nothing is sent', async () => {
    answers(over)
    const caller = await aCaller(world, LIVE, alice)
    const tools = [{ retrieval: { vertexAiSearch: { datastore: 'projects/acme/dataStores/hr' } } }]
    caller.send({ setup: { model: 'models/gemini-live', tools } })
    expect((await caller.closed).reason).toContain('"retrieval"')
    expect(vendor.last().frames).toEqual([])
    expect(await spent()).toBe(0)
  })

  it('is refused in HTTP for a wrong key', async () => {
    const { status } = await refused(aCaller(world, LIVE, alice, { key: 'wrong' }))
    expect(status).toBe(401)
  })
})

it('a session whose quota is used up is closed with the reason', async () => {
  const poor = await world.user({ quota: 2 * CHARGE })
  answers(speaks, { ...over, usageMetadata })
  const caller = await aCaller(world, LIVE, poor)
  caller.send(setup())
  for (let turn = 0; turn < 3; turn += 1) caller.send(ask)
  expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
  expect((await balancesOf(world, poor.id, 2 * CHARGE)).balanced).toBe(true)
})
