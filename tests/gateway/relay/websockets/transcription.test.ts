import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'
import { aCaller, eventually } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const REALTIME = '/v1/realtime?model=gpt-realtime'
const TRANSCRIPTION = '/v1/realtime?intent=transcription&model=cheap'
const TRANSCRIBED = 'conversation.item.input_audio_transcription'
const WRITERS = Array.from({ length: 9 }, (_, at) => `writer-${at}`)
const SECOND = Buffer.alloc(48_000).toString('base64')
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: {
      ModelRatio: {
        ...Object.fromEntries(WRITERS.map((name) => [name, 3])),
        ...{ cheap: 0.01, 'gpt-realtime': 2, 'azure-voice': 2, 'writer-one': 3, 'writer-two': 5 },
      },
      CompletionRatio: { cheap: 1, 'gpt-realtime': 4, 'azure-voice': 4, 'writer-one': 1, 'writer-two': 1 },
    },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime,cheap' })
  await world.channel({ type: 3, base_url: vendor.url, models: 'azure-voice', other: '2025-04-01-preview' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: GIVEN })
})

type Frame = Readonly<{ type?: string; session?: object; say?: readonly object[] }>
/**
 * A vendor that accepts every configuration, confirms commits as item_1, and sends the events that its caller requests.
 */
const obeys = () =>
  vendor.behaves((session, frame) => {
    const { type, session: setUp, say: words = [] } = (frame ?? {}) as Frame // the messages of the tests below
    if (frame === undefined) say(session, { type: 'session.created', session: {} })
    else if (type === 'session.update') say(session, { type: 'session.updated', session: setUp ?? {} })
    else if (type === 'input_audio_buffer.commit')
      say(session, { type: 'input_audio_buffer.committed', item_id: 'item_1' })
    else say(session, ...words)
  })
const writes = (model: string) => ({
  type: 'session.update',
  session: { audio: { input: { transcription: { model } } } },
})
const wrote = (delta: string, item_id = 'item_1') => ({ type: `${TRANSCRIBED}.delta`, item_id, delta })
const completed = (item_id = 'item_1') => ({
  type: `${TRANSCRIBED}.completed`,
  item_id,
  transcript: 'Hello there',
  usage: { type: 'tokens', input_tokens: 100, output_tokens: 10 },
})
/** Opens a session and commits a second of audio for this transcription model. */
const committed = async (path: string, person: Person, model = 'writer-one') => {
  obeys()
  const caller = await aCaller(world, path, person)
  caller.send(writes(model))
  caller.send({ type: 'input_audio_buffer.append', audio: SECOND })
  caller.send({ type: 'input_audio_buffer.commit' })
  await caller.gets('input_audio_buffer.committed')
  return caller
}

describe('the transcription model of a realtime session (docs/reference/streams.md#realtime-sessions)', () => {
  it('is one of at most eight, each of which is charged at its own price', async () => {
    obeys()
    const caller = await aCaller(world, TRANSCRIPTION, alice)
    for (const name of WRITERS) caller.send(writes(name))
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'invalid_request' } })
    const updates = () => caller.frames.filter(({ type }) => type === 'session.updated').length
    await eventually(updates).toBe(8)
    caller.socket.close()
  })

  it('does not make responses free that Azure gives in such a session', async () => {
    const usage = { input_tokens: 4000, output_tokens: 800 }
    vendor.behaves((session, frame) => {
      if (frame === undefined) return say(session, { type: 'session.created', session: {} })
      if ((frame as Frame).type !== 'response.create') return
      say(session, { type: 'response.created', response: { id: 'r1' } }, { type: 'last.words' })
      setTimeout(() => say(session, { type: 'response.done', response: { id: 'r1', status: 'completed', usage } }), 100)
    })
    const caller = await aCaller(world, '/v1/realtime?intent=transcription&model=azure-voice', alice)
    caller.send({ type: 'response.create' })
    await caller.gets('last.words')
    caller.socket.close()
    await vendor.last().closed
    const { quota, other } = await lastReceipt(world, alice.id)
    expect([quota, other.ended]).toEqual([2 * (4000 + 4 * 800), 'client-gone'])
  })

  it.each([
    ['beside answers', REALTIME, { audio: { input: { transcription: { model: 'unpriced' } } } }],
    ['in a transcription session', TRANSCRIPTION, { input_audio_transcription: { model: 'unpriced' } }],
  ])('is refused without a price, %s, and the session continues unchanged', async (_, path, session) => {
    obeys()
    const caller = await aCaller(world, path, alice)
    caller.send({ type: 'session.update', session })
    expect(await caller.gets('error')).toMatchObject({ event_id: /^evt_/, error: { code: 'model_price_error' } })
    caller.send({ type: 'input_audio_buffer.commit' })
    await caller.gets('input_audio_buffer.committed')
    expect(vendor.last().frames).toEqual([{ type: 'input_audio_buffer.commit' }])
    caller.socket.close()
  })

  it('is refused where the key may not use it', async () => {
    obeys()
    const { key } = await world.token(alice, { model_limits_enabled: true, model_limits: 'gpt-realtime' })
    const caller = await aCaller(world, REALTIME, alice, { key })
    caller.send(writes('writer-one'))
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'model_not_allowed' } })
    expect(vendor.last().frames).toEqual([])
    caller.socket.close()
  })

  it('is refused in the set-up of a client secret', async () => {
    obeys()
    const session = { type: 'realtime', model: 'gpt-realtime', ...writes('unpriced').session }
    const { json } = await alice.calls('/v1/realtime/client_secrets', { session })
    const caller = await aCaller(world, '/v1/realtime', alice, { key: json.value })
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'model_price_error' } })
    expect(vendor.last().frames).toEqual([])
    caller.socket.close()
  })

  it('gets no sound where the vendor has chosen one that is not allowed, until its caller requests another', async () => {
    obeys()
    const caller = await aCaller(world, TRANSCRIPTION, alice)
    const chosen = { ...writes('unpriced'), type: 'session.updated' }
    say(vendor.last(), chosen)
    await caller.gets('session.updated')
    const append = { type: 'input_audio_buffer.append', audio: SECOND }
    caller.send(append)
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'model_price_error' } })
    caller.send(writes('writer-one'))
    caller.send(append)
    await eventually(() => vendor.last().frames).toEqual([writes('writer-one'), append])
    // The vendor still uses the model of its own choice.
    say(vendor.last(), chosen, { type: 'input_audio_buffer.committed', item_id: 'item_1' })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'model_price_error' })
  })

  it('has its own price, not that of the query, and also where the vendor gives it a longer name or none', async () => {
    for (const named of [{}, writes('writer-one-of-today').session]) {
      vendor.behaves((session, frame) => {
        if (frame === undefined) say(session, { type: 'session.created', session: {} })
        else say(session, { type: 'session.updated', session: named }, completed())
      })
      const bob = await world.user({ quota: GIVEN })
      const caller = await aCaller(world, TRANSCRIPTION, bob)
      caller.send(writes('writer-one'))
      await caller.gets(`${TRANSCRIBED}.completed`)
      caller.socket.close()
      expect(await lastReceipt(world, bob.id)).toMatchObject({ model_name: 'writer-one', quota: (100 + 10) * 3 })
    }
  })

  it('is charged for what it began, even if another model is set at the end', async () => {
    const caller = await committed(TRANSCRIPTION, alice, 'writer-two')
    caller.send(writes('writer-one'))
    caller.send({ say: [completed()] })
    await caller.gets(`${TRANSCRIBED}.completed`)
    caller.socket.close()
    expect(await lastReceipt(world, alice.id)).toMatchObject({ model_name: 'writer-two', quota: (100 + 10) * 5 })
  })
})

describe('a transcription that is not completed (docs/reference/billing.md#disconnected-callers)', () => {
  // A second of input is ⌈100/60/0.06⌉ tokens; "Hello there" is two, or three where the session's tokenizer is unknown.
  it.each([
    ['in a transcription session', TRANSCRIPTION, 3],
    ['beside answers', REALTIME, 2],
  ])('costs its sound and the text written so far if the caller leaves, %s', async (_, path, said) => {
    const caller = await committed(path, alice)
    caller.send({ say: [wrote('Hello'), wrote(' there')] })
    await eventually(() => caller.frames.filter(({ type }) => type === `${TRANSCRIBED}.delta`).length).toBe(2)
    caller.socket.terminate()
    await vendor.last().closed
    const receipt = await lastReceipt(world, alice.id, 1)
    expect(receipt).toMatchObject({ model_name: 'writer-one', prompt_tokens: 28, completion_tokens: said })
    expect(receipt.quota).toBe((28 + said) * 3)
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'estimated' })
    expect(recomputed(receipt)).toBe(receipt.quota)
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: receipt.quota })
  })

  it('costs its sound where nothing is written yet, unless the vendor is gone or reports that it failed', async () => {
    const leaver = await committed(TRANSCRIPTION, alice)
    leaver.socket.terminate()
    expect(await lastReceipt(world, alice.id, 1)).toMatchObject({ quota: 28 * 3 })
    const [bob, carol] = [await world.user({ quota: GIVEN }), await world.user({ quota: GIVEN })]
    const left = await committed(TRANSCRIPTION, bob)
    vendor.last().socket.terminate()
    expect((await left.closed).code).toBe(1011)
    const failed = await committed(TRANSCRIPTION, carol)
    failed.send({ say: [{ type: `${TRANSCRIBED}.failed`, item_id: 'item_1', error: { message: 'no' } }] })
    await failed.gets(`${TRANSCRIBED}.failed`)
    failed.socket.close()
    await failed.closed
    for (const { id } of [bob, carol])
      expect(await balancesOf(world, id, GIVEN)).toMatchObject({ balanced: true, spent: 0 })
  })

  it('is paid once where it is completed after all, and goes no further then', async () => {
    const caller = await committed(REALTIME, alice)
    caller.send({ say: [wrote('Hello'), completed(), wrote(' for nothing'), { type: 'done' }] })
    await caller.gets('done')
    expect(caller.frames.filter(({ type }) => type === `${TRANSCRIBED}.delta`)).toEqual([wrote('Hello')])
    caller.socket.close()
    expect(await lastReceipt(world, alice.id, 1)).toMatchObject({ quota: (100 + 10) * 3 })
    expect(await receiptsOf(world, alice.id)).toHaveLength(1)
  })

  it.each([
    ['in a transcription session', TRANSCRIPTION, 20_000],
    ['beside answers', REALTIME, 200_000],
  ])('ends the session once the balance does not pay for more, at its own price, %s', async (_, path, quota) => {
    const poor = await world.user({ quota })
    const caller = await committed(path, poor, 'writer-two')
    const text = 'word '.repeat(600)
    caller.send({ say: Array.from({ length: 200 }, () => wrote(text)) })
    expect(await caller.gets('error')).toMatchObject({ error: { code: 'insufficient_quota' } })
    expect(await caller.closed).toEqual({ code: 1008, reason: 'insufficient_quota' })
    await lastReceipt(world, poor.id, 1)
    const { balanced, spent } = await balancesOf(world, poor.id, quota)
    expect(balanced).toBe(true)
    expect(spent).toBeGreaterThan(quota / 3)
    expect(spent).toBeLessThanOrEqual(quota)
  })
})
