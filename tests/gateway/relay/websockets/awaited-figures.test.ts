import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from '../metering/receipts.ts'
import { aCaller, type Caller, eventually } from './caller.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
const LIVE = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const REALTIME = '/v1/realtime?model=gpt-realtime'
const CONTEXT = 100_000
const OUTPUT = 25
/** Milliseconds after which the gateway stops waiting for the usage of a caller who has left. */
const WAIT = 6000
let world: World
let vendor: SocketVendor
let alice: Person

beforeAll(async () => {
  vendor = await aSocketVendor()
  const models = ['gemini-live', 'gemini-3-live', 'gpt-realtime', 'gpt-realtime-2']
  const all = (ratio: number) => Object.fromEntries(models.map((model) => [model, ratio]))
  const options = { ModelRatio: all(1), CompletionRatio: all(4), CacheRatio: { 'gpt-realtime': 0.1 }, RetryTimes: 0 }
  world = await aWorld({ options })
  await world.channel({ type: 24, base_url: vendor.url, models: 'gemini-live,gemini-3-live' })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime,gpt-realtime-2' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  alice = await world.user({ quota: GIVEN })
})

const receiptOf = async (caller: Caller) => {
  caller.socket.close(1000)
  await vendor.last().closed
  const receipt = await lastReceipt(world, alice.id, 1)
  expect(recomputed(receipt)).toBe(receipt.quota)
  return receipt
}
/** The receipt of a caller who leaves and whose usage never arrives. */
const lateReceiptOf = async (caller: Caller) => {
  caller.socket.close(1000)
  await caller.closed
  await eventually(() => vendor.last().socket.readyState).toBe(1)
  world.clock.advance(WAIT)
  return receiptOf(caller)
}

describe('a Live caller that leaves before the figures of a turn (docs/reference/streams.md#callers-that-leave)', () => {
  const words = { serverContent: { modelTurn: { parts: [{ text: 'The answer is forty-two.' }] } } }
  const generated = { serverContent: { generationComplete: true } }
  const figures = {
    serverContent: { turnComplete: true },
    usageMetadata: { promptTokenCount: CONTEXT, responseTokenCount: OUTPUT, totalTokenCount: CONTEXT + OUTPUT },
  }
  const handle = (newHandle: string) => ({ sessionResumptionUpdate: { newHandle, resumable: true } })
  const speaks = (...events: object[]) =>
    vendor.behaves((session, frame) => {
      if (frame === undefined) return
      say(session, ...(Object(frame).setup ? [{ setupComplete: {} }] : events))
    })
  const begun = async (resumed?: string) => {
    const caller = await aCaller(world, LIVE, alice)
    const sessionResumption = resumed === undefined ? {} : { handle: resumed }
    caller.send({ setup: { model: 'models/gemini-live', sessionResumption } })
    await eventually(() => caller.frames[0]).toEqual({ setupComplete: {} })
    return caller
  }
  const ask = { clientContent: { turns: [{ role: 'user', parts: [{ text: 'Why?' }] }], turnComplete: true } }
  const asked = async (caller: Caller, frames: number) => {
    caller.send(ask)
    await eventually(() => caller.frames.length).toBe(1 + frames)
    return caller
  }

  it('pays for the context of a resumed session by the figures that come after it has left', async () => {
    speaks(words, generated)
    const caller = await asked(await begun('of-an-earlier-session'), 2)
    caller.socket.close(1000)
    await caller.closed
    say(vendor.last(), figures)
    const receipt = await receiptOf(caller)
    expect(receipt).toMatchObject({ prompt_tokens: CONTEXT, completion_tokens: OUTPUT })
    expect(receipt.quota).toBe(CONTEXT + 4 * OUTPUT)
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'upstream' })
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: receipt.quota })
  })

  it('is waited for likewise if nothing of the turn had come, and nothing more is sent to the vendor', async () => {
    speaks()
    const caller = await begun()
    caller.send(ask)
    await eventually(() => vendor.last().frames.length).toBe(2)
    caller.socket.terminate()
    await caller.closed
    say(vendor.last(), words, figures)
    expect((await receiptOf(caller)).quota).toBe(CONTEXT + 4 * OUTPUT)
    expect(vendor.last().frames).toHaveLength(2)
  })

  it('pays for the last prompt known of its handle if no figures come', async () => {
    speaks(words, handle('of-alice'), figures)
    await receiptOf(await asked(await begun(), 3))
    speaks(words, generated)
    const receipt = await lateReceiptOf(await asked(await begun('of-alice'), 2))
    expect(receipt.prompt_tokens).toBeGreaterThan(CONTEXT)
    expect(receipt.prompt_tokens).toBeLessThan(CONTEXT + 100)
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'estimated' })
  })

  it('pays for the largest context if its handle is not known, and for no context without a handle', async () => {
    speaks(words, generated)
    const unknown = await lateReceiptOf(await asked(await begun('of-nobody'), 2))
    expect(unknown.prompt_tokens).toBeGreaterThan(131_072)
    const fresh = await lateReceiptOf(await asked(await begun(), 2))
    expect(fresh.prompt_tokens).toBeLessThan(100)
  })

  it('pays for it too if it makes the vendor close, by a frame that is not valid', async () => {
    speaks(words)
    const caller = await asked(await begun('of-nobody'), 1)
    vendor.last().socket.close(1007, 'Request contains an invalid argument.')
    await caller.closed
    expect((await receiptOf(caller)).prompt_tokens).toBeGreaterThan(131_072)
  })

  it('pays for the reasoning that a model may have done before its first word, and without one', async () => {
    const thinks = async (events: readonly object[]) => {
      speaks()
      const caller = await aCaller(world, LIVE, alice)
      caller.send({ setup: { model: 'models/gemini-3-live' } })
      await eventually(() => caller.frames.length).toBe(1)
      caller.send(ask)
      await eventually(() => vendor.last().frames.length).toBe(2)
      world.clock.advance(120_000)
      say(vendor.last(), ...events)
      await eventually(() => caller.frames.length).toBe(1 + events.length)
      return lateReceiptOf(caller)
    }
    expect((await thinks([words])).completion_tokens).toBeGreaterThan(6000)
    const silent = await thinks([])
    expect(silent.completion_tokens).toBeGreaterThanOrEqual(6000)
    expect(silent.other).toMatchObject({ ended: 'complete', usage_source: 'estimated' })
  })

  it('pays for the session so far in each turn without figures', async () => {
    speaks(words, figures)
    const caller = await asked(await begun(), 2)
    speaks(words, generated)
    await asked(caller, 4)
    const receipt = await lateReceiptOf(caller)
    expect(receipt.prompt_tokens).toBeGreaterThan(2 * CONTEXT)
  })

  it('pays likewise if it deletes its own key instead', async () => {
    speaks(words, generated)
    const token = await world.token(alice)
    const caller = await aCaller(world, LIVE, alice, { key: token.key })
    caller.send({ setup: { model: 'models/gemini-live' } })
    await eventually(() => caller.frames.length).toBe(1)
    await asked(caller, 2)
    await alice.delete(`/api/token/${token.id}`)
    world.clock.advance(5500)
    await caller.closed
    say(vendor.last(), figures)
    expect((await receiptOf(caller)).quota).toBe(CONTEXT + 4 * OUTPUT)
  })

  it('pays for sound that was transcribed, though the model never responded to it', async () => {
    speaks({ serverContent: { inputTranscription: { text: 'Hello there' } } })
    const caller = await begun()
    const data = Buffer.alloc(32_000 * 60).toString('base64')
    caller.send({ realtimeInput: { audio: { data, mimeType: 'audio/pcm;rate=16000' } } })
    await eventually(() => caller.frames.length).toBe(2)
    const receipt = await receiptOf(caller)
    expect(receipt).toMatchObject({ prompt_tokens: 60 * 25, other: { ended: 'complete', usage_source: 'estimated' } })
    expect(receipt.completion_tokens).toBeGreaterThan(0)
  })

  it('pays for transcribed sound once, where the model responds to it', async () => {
    speaks({ serverContent: { inputTranscription: { text: 'Hello there' } } }, words, figures)
    const caller = await begun()
    caller.send({ realtimeInput: { audio: { data: Buffer.alloc(32_000).toString('base64') } } })
    await eventually(() => caller.frames.length).toBe(4)
    expect((await receiptOf(caller)).quota).toBe(CONTEXT + 4 * OUTPUT)
  })

  it('is waited for no longer than the gateway runs', async () => {
    const house = await aWorld({ options: { ModelRatio: { 'gemini-live': 1 }, RetryTimes: 0 } })
    await house.channel({ type: 24, base_url: vendor.url, models: 'gemini-live' })
    const person = await house.user({ quota: GIVEN })
    speaks(words, generated)
    const caller = await aCaller(house, LIVE, person)
    caller.send({ setup: { model: 'models/gemini-live' } })
    await eventually(() => caller.frames.length).toBe(1)
    await asked(caller, 2)
    caller.socket.close(1000)
    await caller.closed
    // The new gateway's clock is fixed, so the wait cannot have ended by itself.
    const next = await house.restart()
    const { balanced, spent } = await balancesOf(next, person.id, GIVEN)
    expect(balanced).toBe(true)
    expect(spent).toBeGreaterThan(0)
  })
})

describe('a realtime caller that leaves before the figures of its responses (docs/reference/streams.md#callers-that-leave)', () => {
  const PARALLEL = 8
  const done = (id: string, cached: number) => {
    const details = { cached_tokens: cached, text_tokens: CONTEXT }
    const usage = { input_tokens: CONTEXT, output_tokens: OUTPUT, input_token_details: details }
    return { type: 'response.done', response: { id, usage } }
  }
  const delta = (id: string) => ({ type: 'response.output_text.delta', response_id: id, delta: 'Hello there' })
  /** Makes the vendor end the first response, and begin the others. */
  const begins = () => {
    let number = 0
    vendor.behaves((session, frame) => {
      if (frame === undefined) return say(session, { type: 'session.created', session: {} })
      const { type, response } = Object(frame)
      if (type !== 'response.create') return
      number += 1
      const id = `resp_${number}`
      const conversation_id = response?.conversation === 'none' ? null : 'conv_1'
      say(session, { type: 'response.created', response: { id, conversation_id } }, delta(id))
      if (number === 1) say(session, done(id, 0))
    })
  }
  /** A session with one response that has ended, and others with this input that have not. */
  const begun = async (input?: readonly object[]) => {
    begins()
    const caller = await aCaller(world, REALTIME, alice)
    caller.send({ type: 'response.create' })
    await caller.gets('response.done')
    const response = { conversation: 'none', ...(input === undefined ? {} : { input }) }
    for (let n = 0; n < PARALLEL; n += 1) caller.send({ type: 'response.create', response })
    await eventually(() => caller.frames.filter(({ type }) => type === 'response.output_text.delta').length).toBe(
      1 + PARALLEL,
    )
    return caller
  }
  const FIRST = CONTEXT + 4 * OUTPUT

  it('pays for them by the figures that come after it has left', async () => {
    const caller = await begun()
    caller.socket.close(1000)
    await caller.closed
    for (let n = 2; n <= 1 + PARALLEL; n += 1) say(vendor.last(), done(`resp_${n}`, CONTEXT))
    const receipt = await receiptOf(caller)
    expect(receipt.quota).toBe(FIRST + PARALLEL * (CONTEXT / 10 + 4 * OUTPUT))
    expect(receipt.other).toMatchObject({ ended: 'client-gone', usage_source: 'upstream' })
  })

  it('pays for the conversation, as cached input, in each of them if no figures come', async () => {
    const receipt = await lateReceiptOf(await begun())
    expect(receipt).toMatchObject({ prompt_tokens: (1 + PARALLEL) * CONTEXT })
    expect(receipt.quota).toBe(FIRST + PARALLEL * (CONTEXT / 10 + 4 * 2))
    expect(receipt.other).toMatchObject({ cache_tokens: PARALLEL * CONTEXT, usage_source: 'estimated' })
  })

  it('pays only for their own input if that takes the place of the conversation', async () => {
    const receipt = await lateReceiptOf(await begun([]))
    expect(receipt.quota).toBe(FIRST + PARALLEL * 4 * 2)
  })

  const item = (content: object) => ({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [content] },
  })
  /** Sends input, and leaves once the response has begun, after a silence of the model. */
  const asksAndLeaves = async (model: string, input: object, silentMs: number, words: readonly object[]) => {
    vendor.behaves((session, frame) => {
      if (frame === undefined) return say(session, { type: 'session.created', session: {} })
      if (Object(frame).type !== 'response.create') return
      say(session, { type: 'response.created', response: { id: 'resp_1', conversation_id: 'conv_1' } })
    })
    const caller = await aCaller(world, `/v1/realtime?model=${model}`, alice)
    for (let n = 0; n < 50; n += 1) caller.send(item(input))
    caller.send({ type: 'response.create' })
    await caller.gets('response.created')
    world.clock.advance(silentMs)
    say(vendor.last(), ...words)
    await eventually(() => caller.frames.length).toBe(2 + words.length)
    return lateReceiptOf(caller)
  }

  it('pays for images', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAABAAAAAQACAIAAADwf7zU', 'base64').toString('base64')
    const image = { type: 'input_image', image_url: `data:image/png;base64,${png}` }
    const receipt = await asksAndLeaves('gpt-realtime', image, 0, [delta('resp_1')])
    // 1024 by 1024: OpenAI's base and four tiles.
    expect(receipt.prompt_tokens).toBe(50 * (85 + 4 * 170))
    expect(receipt.other).toMatchObject({ usage_source: 'estimated' })
  })

  it('pays for the reasoning that a model may have done before its first word, and without one', async () => {
    const text = { type: 'input_text', text: 'Think hard' }
    for (const words of [[delta('resp_1')], []])
      expect((await asksAndLeaves('gpt-realtime-2', text, 120_000, words)).completion_tokens).toBeGreaterThanOrEqual(
        6000,
      )
    expect((await asksAndLeaves('gpt-realtime', text, 120_000, [delta('resp_1')])).completion_tokens).toBeLessThan(100)
  })
})
