import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { aCaller, eventually, refused } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const REALTIME = '/v1/realtime?model=gpt-realtime'
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: {
      ModelRatio: {
        'gpt-realtime': 2,
        'gpt-realtime-mini': 1,
        'gpt-4o-realtime-preview': 2.5,
        'gpt-4o-transcribe': 1.25,
        'gpt-4o-mini-transcribe': 3,
      },
      CompletionRatio: { 'gpt-realtime': 4, 'gpt-4o-mini-transcribe': 1 },
      CacheRatio: { 'gpt-realtime': 0.1 },
      AudioRatio: { 'gpt-realtime': 8, 'gpt-4o-transcribe': 2.4 },
      AudioCompletionRatio: { 'gpt-realtime': 2 },
    },
  })
  const models = 'gpt-realtime,gpt-4o-realtime-preview,gpt-4o-transcribe,unpriced'
  await world.channel({ base_url: vendor.url, models, name: 'first' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: GIVEN })
})

const usage = (more: object = {}) => ({
  total_tokens: 300,
  input_tokens: 200,
  output_tokens: 100,
  input_token_details: {
    text_tokens: 50,
    audio_tokens: 150,
    cached_tokens: 60,
    cached_tokens_details: { text_tokens: 10, audio_tokens: 50 },
  },
  output_token_details: { text_tokens: 20, audio_tokens: 80 },
  ...more,
})
/** (40 + 60 × 0.1 + 100 × 8 + 20 × 4 + 80 × 8 × 2) × 2 */
const CHARGE = (40 + 6 + 800 + 80 + 1280) * 2
const done = (more: object = {}) => ({
  type: 'response.done',
  event_id: 'event_9',
  response: { id: 'resp_1', status: 'completed', usage: usage(), ...more },
})
const answers = (...events: object[]) =>
  vendor.behaves((session, frame) => {
    if (frame === undefined) say(session, { type: 'session.created', session: {} })
    else say(session, ...events)
  })
const spent = async () => GIVEN - (await alice.quota())

describe('a realtime session (docs/reference/streams.md#realtime-sessions)', () => {
  it('takes none of the slots of requests, and an account opens no more than it leaves free', async () => {
    const setting = JSON.stringify({ max_concurrency: 2 })
    await world.channel({ base_url: vendor.url, models: 'gpt-realtime-mini', setting })
    answers()
    const path = '/v1/realtime?model=gpt-realtime-mini'
    const bob = await world.user({ quota: GIVEN })
    const open = [await aCaller(world, path, alice), await aCaller(world, path, bob)]
    expect((await alice.asks('gpt-realtime-mini', 'hi')).json.error.code).not.toBe('channels_saturated')
    for (const { socket } of open) socket.close()
    for (const { closed } of open) await closed
    const own = await aCaller(world, path, alice)
    const { status, error } = await refused(aCaller(world, path, alice))
    expect([status, error.code]).toEqual([503, 'channels_saturated'])
    const others = await aCaller(world, path, bob)
    for (const { socket } of [own, others]) socket.close()
  })

  it('passes frames both ways unchanged, texts and bytes, and charges the usage of its answers once', async () => {
    answers({ type: 'response.created', response: {} }, done(), done({ id: 'resp_2' }))
    const caller = await aCaller(world, REALTIME, alice)
    expect(await caller.gets('session.created')).toEqual({ type: 'session.created', session: {} })
    caller.send('{"type":"response.create", "big":12345678901234567890}')
    await caller.gets('response.done')
    const bytes = Buffer.from([0, 255, 1, 254])
    vendor.behaves(({ socket }, frame) => socket.send(frame as Buffer, { binary: true }))
    caller.socket.send(bytes)
    await eventually(() => caller.frames.at(-1)).toEqual(bytes)
    caller.socket.close(1000)
    expect(await vendor.last().closed).toBe(1000)

    const receipt = await lastReceipt(world, alice.id)
    expect(await spent()).toBe(2 * CHARGE)
    expect(receipt).toMatchObject({ model_name: 'gpt-realtime', quota: 2 * CHARGE, prompt_tokens: 400, is_stream: 1 })
    expect(receipt.other).toMatchObject({
      ws: true,
      audio: true,
      audio_input: 200,
      audio_output: 160,
      cache_tokens: 120,
      usage_source: 'upstream',
      ended: 'complete',
    })
    expect(recomputed(receipt)).toBe(receipt.quota)
    expect(vendor.last().path).toBe(REALTIME)
    expect(vendor.last().headers).toMatchObject({ authorization: 'Bearer upstream-key' })
    expect(vendor.last().headers['openai-beta']).toBeUndefined()
  })

  it('requests the beta of models that have no other', async () => {
    const caller = await aCaller(world, '/v1/realtime?model=gpt-4o-realtime-preview', alice)
    await caller.gets('session.created')
    expect(vendor.last().headers['openai-beta']).toBe('realtime=v1')
    caller.socket.close()
  })

  it('takes the key from a sub-protocol, whose name the answer never repeats', async () => {
    const protocols = ['realtime', `openai-insecure-api-key.sk-${await alice.key()}`, 'openai-beta.realtime-v1']
    const caller = await aCaller(world, REALTIME, alice, { protocols })
    await caller.gets('session.created')
    expect(caller.socket.protocol).toBe('realtime')
    expect(JSON.stringify(vendor.last().headers)).not.toContain(await alice.key())
    caller.socket.close()
  })

  it('counts text and sound where the vendor reports no usage', async () => {
    const second = Buffer.alloc(48_000).toString('base64')
    answers(
      { type: 'response.output_audio.delta', delta: second },
      { type: 'response.output_audio_transcript.delta', delta: 'Hello there' },
      done({ usage: null }),
    )
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'input_audio_buffer.append', audio: second })
    await caller.gets('response.done')
    caller.socket.close()
    const receipt = await lastReceipt(world, alice.id, 1)
    // A second of input is ⌈100/60/0.06⌉ tokens, of output ⌈200/60/0.24⌉; "Hello there" is two.
    expect(receipt.other).toMatchObject({ audio_input: 28, audio_output: 14, text_input: 0, text_output: 2 })
    expect(receipt.other.usage_source).toBe('estimated')
    expect(recomputed(receipt)).toBe(receipt.quota)
  })

  it('charges the produced part when the caller vanishes within an answer', async () => {
    answers({ type: 'response.created' }, { type: 'response.output_text.delta', delta: 'Hello there' })
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await caller.gets('response.output_text.delta')
    caller.socket.terminate()
    await vendor.last().closed
    const receipt = await lastReceipt(world, alice.id, 1)
    expect(receipt).toMatchObject({ completion_tokens: 2, quota: 2 * 4 * 2 })
    expect(receipt.other.ended).toBe('client-gone')
  })

  it('reports a vendor that vanishes, and charges its answer so far', async () => {
    answers(done())
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    vendor.last().socket.terminate()
    expect(await caller.gets('error')).toMatchObject({ event_id: /^evt_/, error: { code: 'do_request_failed' } })
    expect(await caller.closed).toEqual({ code: 1011, reason: 'upstream_broken' })
    const receipt = await lastReceipt(world, alice.id, 1)
    expect(receipt.quota).toBe(CHARGE)
    expect(receipt.other.ended).toBe('upstream-broken')
  })

  it('adds the cost of a transcription to the answers, at the price of its own model', async () => {
    const transcription = { model: 'gpt-4o-transcribe' }
    vendor.behaves((session, frame) => {
      const heard = { type: 'tokens', input_tokens: 100, output_tokens: 10, input_token_details: { audio_tokens: 90 } }
      const completed = 'conversation.item.input_audio_transcription.completed'
      if (frame === undefined)
        say(session, { type: 'session.created', session: { audio: { input: { transcription } } } })
      else say(session, { type: completed, usage: heard }, done())
    })
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    caller.socket.close()
    await lastReceipt(world, alice.id, 2)
    const [own, beside] = (await receiptsOf(world, alice.id)).slice(-2)
    expect(own).toMatchObject({ model_name: 'gpt-realtime', quota: CHARGE })
    expect(beside).toMatchObject({ model_name: 'gpt-4o-transcribe' })
    expect(recomputed(beside as NonNullable<typeof beside>)).toBe(beside?.quota)
  })

  it('writes down in a transcription session, charged by tokens or by minutes', async () => {
    const completed = 'conversation.item.input_audio_transcription.completed'
    answers({ type: completed, transcript: 'hi', usage: { type: 'duration', seconds: 61 } })
    const caller = await aCaller(world, '/v1/realtime?intent=transcription', alice)
    caller.send({ type: 'input_audio_buffer.commit' })
    await caller.gets(completed)
    caller.socket.close()
    const receipt = await lastReceipt(world, alice.id, 1)
    expect(vendor.last().path).toBe('/v1/realtime?intent=transcription')
    expect(receipt).toMatchObject({ model_name: 'gpt-4o-transcribe', prompt_tokens: 1017 })
  })

  it('charges a transcription session by the model that it names', async () => {
    const completed = 'conversation.item.input_audio_transcription.completed'
    const transcription = { model: 'gpt-4o-mini-transcribe' }
    vendor.behaves((session, frame) => {
      const heard = { type: 'tokens', input_tokens: 100, output_tokens: 10 }
      if (frame === undefined) say(session, { type: 'session.created', session: { input_audio_transcription: {} } })
      else say(session, { type: 'session.updated', session: { audio: { input: { transcription } } } })
      if (frame !== undefined) say(session, { type: completed, transcript: 'hi', usage: heard })
    })
    const caller = await aCaller(world, '/v1/realtime?intent=transcription', alice)
    caller.send({ type: 'session.update', session: { audio: { input: { transcription } } } })
    await caller.gets(completed)
    caller.socket.close()
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ model_name: 'gpt-4o-mini-transcribe', quota: (100 + 10) * 3 })
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 330 })
  })

  it('is closed once the quota is used up, after an event with the reason', async () => {
    const poor = await world.user({ quota: 2 * CHARGE })
    vendor.behaves((session, frame) =>
      say(
        session,
        frame === undefined ? { type: 'session.created', session: {} } : done({ id: `resp_${session.frames.length}` }),
      ),
    )
    const caller = await aCaller(world, REALTIME, poor)
    caller.send({ type: 'response.create' })
    expect(await caller.gets('response.done')).toBeDefined()
    caller.send({ type: 'response.create' })
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
    await lastReceipt(world, poor.id)
    expect(await balancesOf(world, poor.id, 2 * CHARGE)).toMatchObject({ balanced: true, spent: 2 * CHARGE })
  })
})

describe('a refusal before a session begins (docs/reference/errors.md#refusals)', () => {
  it.each([
    ['without a model', '/v1/realtime', 400, 'model_required'],
    ['for a model nobody offers', '/v1/realtime?model=none', 503, 'no_available_channel'],
    ['for a model without a price', '/v1/realtime?model=unpriced', 400, 'model_price_error'],
    ['for a telephone call', '/v1/realtime?call_id=rtc_1', 501, 'api_not_implemented'],
  ])('is sent in HTTP %s', async (_, path, status, code) => {
    const refusal = await refused(aCaller(world, path, alice))
    expect(refusal).toMatchObject({ status, error: { code, type: 'switchyard_error' } })
    expect(refusal.headers['x-request-id']).toMatch(/^\d{14}/)
    expect(refusal.error.message).toContain('request id')
  })

  it('is sent in an error frame to callers that use sub-protocols', async () => {
    const protocols = ['realtime', 'openai-insecure-api-key.sk-nobody']
    const caller = await aCaller(world, REALTIME, alice, { protocols })
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'invalid_api_key' } })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'invalid_api_key' })
  })

  it('is the vendor’s own, once every channel was tried', async () => {
    vendor.refuses({ status: 400, body: { error: { message: 'no such session', type: 'invalid', code: 'odd' } } })
    const refusal = await refused(aCaller(world, REALTIME, alice))
    expect(refusal).toMatchObject({ status: 400, error: { code: 'odd' } })
    const receipt = await lastReceipt(world, alice.id, 1)
    expect(receipt).toMatchObject({ type: 5, quota: 0 })
  })
})
