import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const meta = { api_version: { version: '1' }, billed_units: { input_tokens: 7, output_tokens: 3 } }
const answer = (finish_reason = 'COMPLETE') => ({ generation_id: 'g', text: 'Hello there', finish_reason, meta })

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 34, key: 'cohere-key', models: 'command-r' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

/** A stream with a line per object, as bytes. */
const lines = (...objects: object[]) =>
  Buffer.from(objects.map((object) => `${JSON.stringify({ is_finished: false, ...object })}\n`).join(''))
const begun = { event_type: 'stream-start', generation_id: 'g' }
const said = (text: string) => ({ event_type: 'text-generation', text })
const ended = (finish_reason: string) => ({
  is_finished: true,
  event_type: 'stream-end',
  finish_reason,
  response: answer(finish_reason),
})
const NDJSON = { headers: { 'content-type': 'application/stream+json' } }

describe('Cohere chat (docs/reference/channel-types.md#cohere)', () => {
  it('receives the latest question, with the earlier messages', async () => {
    world.upstream.answers({ body: answer() })
    const { json, headers } = await alice.calls('/v1/chat/completions', {
      model: 'command-r',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: [{ type: 'text', text: 'How are you?' }] },
      ],
      temperature: 0,
      top_p: 1,
      top_k: 5,
      seed: 1,
      stop: 'END',
      frequency_penalty: 0.5,
      presence_penalty: 0.25,
      response_format: { type: 'json_object' },
      safety_mode: 'STRICT',
      user: 'u',
    })
    expect(world.upstream.last()).toMatchObject({
      path: '/v1/chat',
      headers: { authorization: 'Bearer cohere-key', accept: 'application/json' },
    })
    expect(world.upstream.last().json).toEqual({
      model: 'command-r',
      message: 'How are you?',
      chat_history: [
        { role: 'SYSTEM', message: 'Be brief.' },
        { role: 'USER', message: 'Hello?' },
        { role: 'CHATBOT', message: 'Yes?' },
      ],
      max_tokens: 4000,
      temperature: 0,
      p: 0.99,
      k: 5,
      seed: 1,
      stop_sequences: ['END'],
      frequency_penalty: 0.5,
      presence_penalty: 0.25,
      response_format: { type: 'json_object' },
      safety_mode: 'STRICT',
    })
    expect(headers.get('x-switchyard-dropped')).toBe('user')
    expect(json).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    })
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ prompt_tokens: 7, completion_tokens: 3, quota: recomputed(receipt) })
    expect(receipt.other.usage_source).toBe('upstream')
  })

  it('streams objects, one a line, however they are cut', async () => {
    const bytes = lines(begun, said('Hel'), said('lo wörld'), ended('MAX_TOKENS'))
    const half = bytes.indexOf('ö') + 1
    world.upstream.streams([bytes.subarray(0, half), bytes.subarray(half)], { ...NDJSON, gapMs: 5 })
    const body = { max_tokens: 9, stream_options: { include_usage: true } }
    const { content, events, headers } = await alice.asks('command-r', 'hi', { stream: true, body })
    expect(world.upstream.last().json).toEqual({
      model: 'command-r',
      message: 'hi',
      chat_history: [],
      stream: true,
      max_tokens: 9,
    })
    expect(headers.get('content-type')).toContain('text/event-stream')
    expect(content).toBe('Hello wörld')
    expect(events.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['length'])
    expect(events.find((event) => event.usage)?.usage).toMatchObject({ prompt_tokens: 7, completion_tokens: 3 })
    expect(events.at(-1)).toBe('[DONE]')
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBe(3)
  })

  it('answers the other dialects too', async () => {
    world.upstream.answers({ body: answer('MAX_TOKENS') })
    const messages = [{ role: 'user', content: 'hi' }]
    const { json } = await alice.calls('/v1/messages', { model: 'command-r', max_tokens: 5, messages })
    expect(world.upstream.last().json).toMatchObject({ message: 'hi', max_tokens: 5 })
    expect(json).toMatchObject({ content: [{ type: 'text', text: 'Hello there' }], stop_reason: 'max_tokens' })
  })

  it('counts itself where no figures come', async () => {
    const { meta: _, ...bare } = answer()
    world.upstream.answers({ body: bare })
    await alice.asks('command-r', 'hi')
    expect((await lastReceipt(world, alice.id)).other.usage_source).not.toBe('upstream')
  })

  it('reports its errors, before a stream and in the middle of one', async () => {
    world.upstream.answers({ status: 400, body: { message: 'no such model' } })
    const refused = await alice.asks('command-r', 'hi', { stream: true })
    expect(refused.status).toBe(400)
    world.upstream.streams([lines(begun, said('Hel'), ended('ERROR_LIMIT'))], NDJSON)
    const { events } = await alice.asks('command-r', 'hi', { stream: true })
    expect(events.at(-1)?.error).toMatchObject({ code: 'ERROR_LIMIT' })
  })

  it('has tools, there and back', async () => {
    const called = { tool_calls: [{ name: 'clock', parameters: { city: 'Paris' } }] }
    const end = { ...ended('COMPLETE'), response: { ...answer(), ...called } }
    const plan = { event_type: 'tool-calls-chunk', text: 'I look.' }
    const calls = { event_type: 'tool-calls-generation', text: 'I look.', ...called }
    world.upstream.streams([lines(begun, plan, calls, end)], NDJSON)
    const city = { type: 'string', description: 'Where.', enum: ['Rome', 'Paris'] }
    const parameters = { type: 'object', properties: { city, exact: { type: 'boolean' } }, required: ['city'] }
    const earlier = { id: 'c1', type: 'function', function: { name: 'clock', arguments: '{"city":"Rome"}' } }
    const { content, events } = await alice.calls('/v1/chat/completions', {
      model: 'command-r',
      stream: true,
      messages: [
        { role: 'user', content: 'Rome, then Paris?' },
        { role: 'assistant', content: null, tool_calls: [earlier] },
        { role: 'tool', tool_call_id: 'c1', content: 'noon' },
      ],
      tools: [{ type: 'function', function: { name: 'clock', description: 'The time.', parameters } }],
    })
    const call = { name: 'clock', parameters: { city: 'Rome' } }
    expect(world.upstream.last().json).toMatchObject({
      message: '',
      chat_history: [
        { role: 'USER', message: 'Rome, then Paris?' },
        { role: 'CHATBOT', message: '', tool_calls: [call] },
      ],
      tool_results: [{ call, outputs: [{ result: 'noon' }] }],
      tools: [
        {
          name: 'clock',
          description: 'The time.',
          parameter_definitions: {
            city: { type: 'str', description: 'Where.\nJSON schema: {"enum":["Rome","Paris"]}', required: true },
            exact: { type: 'bool', required: false },
          },
        },
      ],
    })
    expect(content).toBe('I look.')
    expect(events.flatMap((event) => event.choices?.[0]?.delta?.tool_calls ?? [])).toMatchObject([
      { index: 0, function: { name: 'clock', arguments: '{"city":"Paris"}' } },
    ])
    expect(events.flatMap((event) => event.choices?.[0]?.finish_reason ?? [])).toEqual(['tool_calls'])
  })

  it('receives arguments that are not JSON, and large numbers, unchanged', async () => {
    for (const [json, parameters] of [
      ['{"city":', '{"INVALID_JSON":"{\\"city\\":"}'],
      ['[1]', '{"INVALID_JSON":"[1]"}'],
      ['{"id":9007199254740993}', '{"id":9007199254740993}'],
    ] as const) {
      const called = { id: 'c1', type: 'function', function: { name: 'clock', arguments: json } }
      await alice.calls('/v1/chat/completions', {
        model: 'command-r',
        messages: [
          { role: 'user', content: 'Rome?' },
          { role: 'assistant', content: null, tool_calls: [called] },
          { role: 'tool', tool_call_id: 'c1', content: '{"at":9007199254740993}' },
        ],
      })
      expect(world.upstream.last().text).toContain(`"parameters":${parameters}`)
      expect(world.upstream.last().text).toContain('"outputs":[{"at":9007199254740993}]')
    }
  })

  it('refuses pictures', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }]
    const { status, json } = await alice.asks('command-r', '', { body: { messages: [{ role: 'user', content }] } })
    expect([status, json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})
