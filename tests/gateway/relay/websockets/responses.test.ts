import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatStream } from '../../../support/chat.ts'
import type { StreamEvent } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, receiptsOf } from '../metering/receipts.ts'
import { aCaller, type Caller, refused } from './caller.ts'

const GIVEN = 1_000_000_000
const RESPONSES = '/v1/responses'
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: {
      ModelRatio: { 'gpt-5': 1, 'gpt-4.1': 1, 'chat-only': 1, unpriced: 1 },
      CompletionRatio: { 'gpt-5': 2, 'chat-only': 3 },
    },
  })
  await world.channel({ models: 'gpt-5,gpt-4.1', name: 'native' })
  await world.channel({ models: 'chat-only', type: 43, name: 'converted' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
})

const message = (text: string, id = 'msg_1') => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const usage = { input_tokens: 70, output_tokens: 30, total_tokens: 100 }
const event = (type: string, more: object): Buffer =>
  Buffer.from(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
/** The vendor's stream for one turn. */
const streamed = (id: string, output: readonly object[] = [message('Hello')], store = false): StreamEvent[] => [
  event('response.created', { sequence_number: 0, response: { id, status: 'in_progress', store, output: [] } }),
  event('response.output_text.delta', { sequence_number: 1, item_id: 'msg_1', delta: 'Hello' }),
  event('response.completed', { sequence_number: 2, response: { id, status: 'completed', store, output, usage } }),
]
const create = (more: object = {}) => ({ type: 'response.create', model: 'gpt-5', store: false, input: 'hi', ...more })
const said = (text: string) => ({ type: 'message', role: 'user', content: text })
const turn = async (caller: Caller, asked: object) => {
  const from = caller.frames.length
  caller.send(asked)
  return caller.gets('response.completed', from)
}

describe('responses over a socket (OpenAI\'s guide "WebSocket mode")', () => {
  it('answers each turn by a frame for every event, and charges each as a separate request', async () => {
    world.upstream.streams(streamed('resp_1'))
    world.upstream.streams(streamed('resp_2'))
    const caller = await aCaller(world, RESPONSES, alice, {
      headers: { 'openai-beta': 'responses_websockets=2026-02-06' },
    })
    await turn(caller, create())
    expect(caller.frames.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.completed',
    ])
    await turn(caller, create({ input: 'again' }))
    caller.socket.close()

    await lastReceipt(world, alice.id, 2)
    const { balanced, spent, receipts } = await balancesOf(world, alice.id, GIVEN)
    expect({ balanced, spent }).toEqual({ balanced: true, spent: 2 * (70 + 30 * 2) })
    expect(new Set(receipts.map(({ request_id }) => request_id)).size).toBe(2)
    expect(world.upstream.requests.map(({ path }) => path)).toEqual([RESPONSES, RESPONSES])
    expect(world.upstream.last().json).toEqual({ model: 'gpt-5', store: false, input: 'again', stream: true })
    expect(world.upstream.last().headers['openai-beta']).toBeUndefined()
  })

  it('accepts the next turn as soon as the last event is sent, whenever the vendor hangs up', async () => {
    world.upstream.streams(streamed('resp_1'), { hang: true })
    world.upstream.streams(streamed('resp_2'))
    const caller = await aCaller(world, RESPONSES, alice)
    await turn(caller, create())
    await turn(caller, create({ previous_response_id: 'resp_1' }))
    caller.socket.close()
    await caller.closed
    await lastReceipt(world, alice.id, 2)
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 2 * (70 + 30 * 2) })
  })

  it('writes an answer that came whole as its first and last event', async () => {
    const response = { id: 'resp_1', object: 'response', status: 'completed', output: [message('Hello')], usage }
    world.upstream.answers({ body: response })
    const caller = await aCaller(world, RESPONSES, alice)
    expect((await turn(caller, create())).response).toEqual(response)
    expect(caller.frames.map(({ type }) => type)).toEqual(['response.created', 'response.completed'])
    caller.socket.close()
  })

  it('preserves big numbers and unknown fields of a turn', async () => {
    world.upstream.streams(streamed('resp_1'))
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send('{"type":"response.create","model":"gpt-5","input":"hi","seed":12345678901234567890,"later":{"a":[]}}')
    await caller.gets('response.completed')
    expect(world.upstream.last().text).toBe(
      '{"model":"gpt-5","input":"hi","seed":12345678901234567890,"later":{"a":[]},"stream":true}',
    )
    caller.socket.close()
  })

  it('continues from the last response of the socket, which is stored nowhere else', async () => {
    const thought = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'sealed' }
    const loose = { id: 'rs_2', type: 'reasoning', summary: [] }
    const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }
    world.upstream.streams(streamed('resp_1', [thought, loose, call]))
    world.upstream.streams(streamed('resp_2'))
    world.upstream.streams(streamed('resp_3'))
    const caller = await aCaller(world, RESPONSES, alice)
    await turn(caller, create())
    const result = { type: 'function_call_output', call_id: 'call_1', output: 'seen' }
    await turn(caller, create({ previous_response_id: 'resp_1', input: [result] }))
    const { id: _, ...bare } = call
    expect(world.upstream.last().json.input).toEqual([said('hi'), thought, bare, result])
    expect(world.upstream.last().json.previous_response_id).toBeUndefined()
    await turn(caller, create({ previous_response_id: 'resp_2', input: 'and now?' }))
    expect(world.upstream.last().json.input).toHaveLength(6)

    caller.send(create({ previous_response_id: 'resp_1' }))
    expect(await caller.gets('error')).toMatchObject({ status: 400, error: { code: 'previous_response_not_found' } })
    caller.socket.close()
  })

  it('leaves a stored response to the vendor that has stored it', async () => {
    world.upstream.streams(streamed('resp_s1', [message('Hello')], true))
    world.upstream.streams(streamed('resp_s2', [message('Hello')], true))
    const caller = await aCaller(world, RESPONSES, alice)
    await turn(caller, create({ store: true }))
    await turn(caller, create({ store: true, previous_response_id: 'resp_s1', input: 'more' }))
    expect(world.upstream.last().json).toMatchObject({ previous_response_id: 'resp_s1', input: 'more' })
    caller.socket.close()
  })

  it('prepares a turn that is not to be generated without an upstream request or a charge', async () => {
    world.upstream.streams(streamed('resp_1'))
    const caller = await aCaller(world, RESPONSES, alice)
    const { response } = await turn(caller, create({ generate: false, input: [said('the rules')] }))
    expect(response).toMatchObject({ status: 'completed', output: [], model: 'gpt-5' })
    expect(world.upstream.requests).toHaveLength(0)
    await turn(caller, create({ previous_response_id: response.id, input: [said('go')] }))
    expect(world.upstream.last().json.input).toEqual([said('the rules'), said('go')])
    expect(await receiptsOf(world, alice.id)).toHaveLength(1)
    caller.socket.close()
  })

  it('calls vendors without a Responses API in their own dialect, and continues there as well', async () => {
    world.upstream.streams(chatStream(['Hel', 'lo'], { prompt: 70, completion: 30 }))
    world.upstream.streams(chatStream(['Yes'], { prompt: 90, completion: 10 }))
    const caller = await aCaller(world, RESPONSES, alice)
    const { response } = await turn(caller, create({ model: 'chat-only' }))
    expect(response.output[0].content[0].text).toBe('Hello')
    await turn(caller, create({ model: 'chat-only', previous_response_id: response.id, input: 'sure?' }))
    expect(world.upstream.last().path).toBe('/v1/chat/completions')
    expect(world.upstream.last().json.messages.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ])
    caller.socket.close()
    await lastReceipt(world, alice.id, 2)
    expect(GIVEN - (await alice.quota())).toBe(70 + 30 * 3 + 90 + 10 * 3)
  })

  it('includes the stream_id of a turn in each of its frames', async () => {
    world.upstream.streams(streamed('resp_1'))
    const caller = await aCaller(world, RESPONSES, alice)
    await turn(caller, create({ stream_id: 'main' }))
    expect(caller.frames.map(({ stream_id }) => stream_id)).toEqual(['main', 'main', 'main'])
    caller.socket.close()
  })
})

describe('failures on a socket of responses', () => {
  it('accepts one turn at a time', async () => {
    world.upstream.streams(streamed('resp_1').slice(0, 2), { hang: true })
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send(create({ model: 'gpt-4.1' }))
    await caller.gets('response.output_text.delta')
    caller.send(create())
    expect(await caller.gets('error')).toMatchObject({ status: 400, error: { code: 'response_already_in_progress' } })
    caller.socket.terminate()
    expect(await world.upstream.last().aborted).toBe(true)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.other.ended).toBe('client-gone')
    expect(receipt.completion_tokens).toBe(1)
  })

  it.each([
    ['what is no JSON', 'garbage', 'invalid_frame'],
    ['a list', '[]', 'invalid_frame'],
    ['another event', '{"type":"response.dance"}', 'unknown_event'],
    ['a turn without a model', '{"type":"response.create","input":"hi"}', 'invalid_responses_request'],
    ['a model nobody offers', '{"type":"response.create","model":"none","input":"hi"}', 'no_available_channel'],
  ])('answers %s by an error and stays open', async (_, frame, code) => {
    world.upstream.streams(streamed('resp_1'))
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send(frame)
    expect(await caller.gets('error')).toMatchObject({ status: expect.any(Number), error: { code } })
    await turn(caller, create())
    caller.socket.close()
  })

  it('returns the vendor’s error with its status, and drops the response that was to be continued', async () => {
    world.upstream.streams(streamed('resp_1'))
    world.upstream.answers({
      status: 422,
      body: { error: { message: 'no', type: 'invalid_request_error', code: 'odd' } },
    })
    const caller = await aCaller(world, RESPONSES, alice)
    await turn(caller, create())
    caller.send(create({ previous_response_id: 'resp_1' }))
    expect(await caller.gets('error')).toMatchObject({ status: 422, error: { code: 'odd' } })
    const from = caller.frames.length
    caller.send(create({ previous_response_id: 'resp_1' }))
    expect(await caller.gets('error', from)).toMatchObject({ error: { code: 'previous_response_not_found' } })
    caller.socket.close()
  })

  it.each([
    ['context_length_exceeded', 400],
    ['rate_limit_exceeded', 429],
    ['insufficient_quota', 429],
    ['server_is_overloaded', 503],
  ])('returns %s, in every form in which the vendor sends it, in one frame with status %i', async (code, status) => {
    const error = { message: 'no', type: 'invalid_request_error', code, param: null }
    const within = [event('response.created', { response: { id: 'resp_1' } }), event('error', { error })]
    for (const script of [{ events: within }, { status, body: { error } }]) {
      world.upstream.answers(script)
      const caller = await aCaller(world, RESPONSES, alice)
      caller.send(create())
      expect(await caller.gets('error')).toMatchObject({ status, error: { code } })
      expect(caller.frames.filter(({ type }) => type === 'response.failed')).toEqual([])
      world.clock.advanceSeconds(3600)
    }
  })

  it('reports a stream that breaks off', async () => {
    world.upstream.streams(streamed('resp_1'), { cutAfter: 2 })
    const caller = await aCaller(world, RESPONSES, alice)
    caller.send(create())
    expect(await caller.gets('error')).toMatchObject({ status: 502, error: { code: 'stream_response_error' } })
    caller.socket.close()
    expect((await lastReceipt(world, alice.id)).other.ended).toBe('upstream-broken')
  })

  it('checks the key again with every turn', async () => {
    world.upstream.streams(streamed('resp_1'))
    const token = await world.token(alice)
    const caller = await aCaller(world, RESPONSES, alice, { key: token.key })
    await turn(caller, create())
    await alice.delete(`/api/token/${token.id}`)
    caller.send(create())
    expect(await caller.gets('error')).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } })
    caller.socket.close()
  })

  it('refuses a caller without a key in HTTP', async () => {
    const headers = { authorization: '' }
    expect(await refused(aCaller(world, RESPONSES, alice, { headers }))).toMatchObject({ status: 401 })
  })
})
