import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { aSocketVendor, type SocketVendor, say } from './socket-vendor.ts'

const GIVEN = 1_000_000_000
let world: World
let vendor: SocketVendor
let alice: Person
let client: OpenAI

beforeAll(async () => {
  vendor = await aSocketVendor()
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-realtime': 1, 'gpt-5': 1 },
      CompletionRatio: { 'gpt-realtime': 1 },
      AudioRatio: { 'gpt-realtime': 8 },
    },
  })
  await world.channel({ base_url: vendor.url, models: 'gpt-realtime' })
  await world.channel({ models: 'gpt-5' })
})
afterAll(() => vendor.stop())
beforeEach(async () => {
  vendor.reset()
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
})

/** Options for a connection without TLS, because the SDK opens only wss addresses. */
function plainly() {
  const { port, hostname } = new URL(world.url)
  return { createConnection: () => connect(Number(port), hostname) }
}

describe("OpenAI's own realtime client", () => {
  it.each(['/v1', '', '/v1/v1'])(
    'has a session below “%s”: its events arrive, the vendor’s events are received, and it is charged',
    async (ending) => {
      client.baseURL = world.url + ending
      vendor.behaves((session, frame) => {
        if (frame === undefined)
          say(session, { type: 'session.created', event_id: 'event_1', session: { type: 'realtime' } })
        else
          say(
            session,
            { type: 'response.output_text.delta', event_id: 'event_2', delta: 'Hello', response_id: 'resp_1' },
            {
              type: 'response.done',
              event_id: 'event_3',
              response: { id: 'resp_1', usage: { total_tokens: 30, input_tokens: 20, output_tokens: 10 } },
            },
          )
      })
      const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: plainly() }, client)
      let text = ''
      realtime.on('session.created', () =>
        realtime.send({ type: 'response.create', response: { instructions: 'greet' } }),
      )
      realtime.on('response.output_text.delta', ({ delta }) => {
        text += delta
      })
      await new Promise<void>((resolve, reject) => {
        realtime.on('error', reject)
        realtime.on('response.done', () => resolve())
      })
      realtime.close()
      expect(text).toBe('Hello')
      expect(vendor.last().frames).toEqual([{ type: 'response.create', response: { instructions: 'greet' } }])
      expect((await lastReceipt(world, alice.id)).quota).toBe(20 + 10)
    },
  )

  it('receives a quota that is used up as an error', async () => {
    const poor = await world.user({ quota: 600 })
    vendor.behaves((session, frame) => {
      const usage = { total_tokens: 150, input_tokens: 150, output_tokens: 0 }
      if (frame === undefined) say(session, { type: 'session.created', session: {} })
      else say(session, { type: 'response.done', response: { usage } })
    })
    const own = new OpenAI({ apiKey: `sk-${await poor.key()}`, baseURL: `${world.url}/v1`, logLevel: 'off' })
    const realtime = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: plainly() }, own)
    realtime.on('session.created', () => realtime.send({ type: 'response.create' }))
    const error = await new Promise<{ error?: { code?: string | null | undefined } | undefined }>((resolve) => {
      realtime.on('error', resolve)
    })
    expect(error.error?.code).toBe('insufficient_quota')
    await lastReceipt(world, poor.id)
    expect(await balancesOf(world, poor.id, 600)).toMatchObject({ balanced: true, spent: 150 })
  })
})

describe("OpenAI's own client of responses over a socket", () => {
  it('sends turns that continue each other', async () => {
    const output = [
      { id: 'msg_1', type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    ]
    const usage = { input_tokens: 20, output_tokens: 10, total_tokens: 30 }
    for (const id of ['resp_1', 'resp_2'])
      world.upstream.streams([
        { type: 'response.created', response: { id, status: 'in_progress', store: false } },
        { type: 'response.output_text.delta', delta: 'Hello' },
        { type: 'response.completed', response: { id, status: 'completed', store: false, output, usage } },
      ])
    const socket = new ResponsesWS(client)
    const ask = { type: 'response.create', model: 'gpt-5', store: false } as const
    socket.send({ ...ask, input: 'hi' })
    const texts: string[] = []
    for await (const event of socket) {
      if (event.type === 'error') throw event.error
      if (event.type !== 'message') continue
      const { message } = event
      if (message.type === 'response.output_text.delta') texts.push(message.delta)
      if (message.type !== 'response.completed') continue
      if (texts.length === 2) break
      socket.send({ ...ask, input: 'more', previous_response_id: message.response.id })
    }
    socket.close()
    expect(texts).toEqual(['Hello', 'Hello'])
    expect(world.upstream.last().json.input).toHaveLength(3)
    await lastReceipt(world, alice.id, 2)
    const { balanced, receipts } = await balancesOf(world, alice.id, GIVEN)
    expect(balanced).toBe(true)
    expect(receipts).toHaveLength(2)
  })

  it('receives an error for a refused turn', async () => {
    const socket = new ResponsesWS(client)
    socket.send({ type: 'response.create', model: 'no-such-model', input: 'hi' })
    const error = await new Promise<unknown>((resolve) => {
      socket.on('error', resolve)
    })
    expect(JSON.stringify(error, ['message', 'error', 'code'])).toContain('no-such-model')
    socket.close()
  })
})
