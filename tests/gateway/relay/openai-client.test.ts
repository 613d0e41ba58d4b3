import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream, usageOf } from '../../support/chat.ts'
import { untimed } from '../../support/untimed.ts'
import { aWorld, type Person, type World } from '../../support/world.ts'
import { lastReceipt, receiptsOf } from './metering/receipts.ts'

let world: World
let alice: Person
let client: OpenAI

const clientWith = (apiKey: string, maxRetries = 0) =>
  new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries, logLevel: 'off' })
const messages = [{ role: 'user' as const, content: 'hi' }]
const ask = (model = 'gpt-4o', by = client) => by.chat.completions.create({ model, messages })
const failing = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { 'gpt-4o': 1, 'text-embedding-3-small': 1 }, CompletionRatio: { 'gpt-4o': 2 } },
  })
  await world.channel({ models: 'gpt-4o,text-embedding-3-small,unpriced' })
  alice = await world.user({ quota: 1_000_000_000 })
  client = clientWith(`sk-${await alice.key()}`)
})
beforeEach(() => world.upstream.reset())

describe('the official OpenAI client, answered (docs/reference/endpoints.md#relayed-paths)', () => {
  it('reads a chat answer as the vendor sent it', async () => {
    const answer = await ask()
    expect(answer).toMatchObject(chatAnswer('Hello there'))
    expect(answer._request_id).toMatch(/^\d{14}/)
  })

  it('reads a stream without the usage event it did not request, charged by the vendor’s usage', async () => {
    world.upstream.streams(chatStream(['Hel', 'lo'], { prompt: 70, completion: 30 }))
    const before = await alice.quota()
    let text = ''
    for await (const chunk of await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })) {
      expect(chunk.choices).toHaveLength(1)
      expect(chunk.usage).toBeUndefined()
      text += chunk.choices[0]?.delta.content ?? ''
    }
    expect(text).toBe('Hello')
    expect(world.upstream.last().json.stream_options).toEqual({ include_usage: true })
    expect(before - (await alice.quota())).toBe(70 + 30 * 2)
  })

  it('reads the usage event when it requests it', async () => {
    world.upstream.streams(chatStream(['Hello'], { prompt: 70, completion: 30 }))
    const asked = { model: 'gpt-4o', messages, stream: true, stream_options: { include_usage: true } } as const
    const chunks = []
    for await (const chunk of await client.chat.completions.create(asked)) chunks.push(chunk)
    expect(chunks.at(-1)?.usage).toEqual(usageOf({ prompt: 70, completion: 30 }))
  })

  const calls = ['weather', 'time'].map((name, index) => ({
    id: `call_${index}`,
    type: 'function' as const,
    function: { name, arguments: `{"city":"${name}"}` },
  }))
  const tools = calls.map((call) => ({ type: 'function' as const, function: { name: call.function.name } }))

  it('reads parallel tool calls', async () => {
    const message = { role: 'assistant', content: null, tool_calls: calls }
    const body = { ...chatAnswer(''), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
    world.upstream.answers({ body })
    const answer = await client.chat.completions.create({ model: 'gpt-4o', messages, tools })
    expect(answer.choices[0]?.message.tool_calls).toEqual(calls)
    expect(world.upstream.last().json.tools).toEqual(tools)
  })

  it('reads parallel tool calls from a stream, arguments in pieces', async () => {
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...chatAnswer(''),
      object: 'chat.completion.chunk',
      usage: null,
      choices: [{ index: 0, delta, finish_reason }],
    })
    const pieces = calls.flatMap((call, index) => [
      chunk({
        role: 'assistant',
        tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }],
      }),
      chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments.slice(0, 5) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: call.function.arguments.slice(5) } }] }),
    ])
    world.upstream.streams([...pieces, chunk({}, 'tool_calls'), '[DONE]'])
    const final = await client.chat.completions.stream({ model: 'gpt-4o', messages }).finalMessage()
    expect(final.tool_calls).toMatchObject(calls)
    const { completion_tokens, other } = await lastReceipt(world, alice.id)
    expect(other.usage_source).toBe('counted')
    expect(completion_tokens).toBeGreaterThanOrEqual(2 * 7)
  })

  it('reads embeddings as numbers and as base64', async () => {
    const vector = [0.5, -1, 0.25]
    const packed = Buffer.from(new Float32Array(vector).buffer).toString('base64')
    world.upstream.answers(({ json }) => ({
      body: {
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: json.encoding_format === 'base64' ? packed : vector }],
        model: json.model,
        usage: { prompt_tokens: 8, total_tokens: 8 },
      },
    }))
    const before = await alice.quota()
    const model = 'text-embedding-3-small'
    const plain = await client.embeddings.create({ model, input: 'hi', encoding_format: 'float' })
    expect(plain.data[0]?.embedding).toEqual(vector)
    expect((await client.embeddings.create({ model, input: ['hi'] })).data[0]?.embedding).toEqual(vector)
    expect(world.upstream.last().json.encoding_format).toBe('base64')
    expect(before - (await alice.quota())).toBe(2 * 8)
  })

  it('reads legacy completions, plain and streamed', async () => {
    const answer = { id: 'cmpl-1', object: 'text_completion', created: 1, model: 'm' }
    const choices = [{ index: 0, text: 'once', finish_reason: 'stop', logprobs: null }]
    world.upstream.answers(
      { body: { ...answer, choices, usage: usageOf({}) } },
      { events: [{ ...answer, choices }, '[DONE]'] },
    )
    const ask = { model: 'gpt-4o', prompt: 'tell' } as const
    expect((await client.completions.create(ask)).choices[0]?.text).toBe('once')
    const chunks = []
    for await (const chunk of await client.completions.create({ ...ask, stream: true })) chunks.push(chunk)
    expect(chunks.map((chunk) => chunk.choices[0]?.text)).toEqual(['once'])
    expect(world.upstream.last().path).toBe('/v1/completions')
  })

  it('lists models', async () => {
    const names = []
    for await (const model of client.models.list()) names.push(model.id)
    expect(names).toEqual(['gpt-4o', 'text-embedding-3-small'])
    expect((await client.models.retrieve('gpt-4o')).owned_by).toBe('openai')
    expect(await failing(client.models.retrieve('nothing'))).toBeInstanceOf(OpenAI.NotFoundError)
  })
})

describe('the official OpenAI client, refused (docs/reference/errors.md#refusals)', () => {
  it('a model that no channel offers is an InternalServerError (503), one without a price a BadRequestError', async () => {
    const unknown = await failing(ask('nothing'))
    expect(unknown).toBeInstanceOf(OpenAI.InternalServerError)
    expect(unknown).toMatchObject({ status: 503, code: 'no_available_channel', type: 'switchyard_error' })
    const unpriced = await failing(ask('unpriced'))
    expect(unpriced).toBeInstanceOf(OpenAI.BadRequestError)
    expect(unpriced).toMatchObject({ status: 400, code: 'model_price_error', param: 'model' })
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('a bad key is an AuthenticationError, and so is a missing one', async () => {
    expect(await failing(ask('gpt-4o', clientWith('sk-wrong')))).toBeInstanceOf(OpenAI.AuthenticationError)
    const anonymous = new OpenAI({
      apiKey: 'x',
      baseURL: `${world.url}/v1`,
      maxRetries: 0,
      defaultHeaders: { authorization: null },
    })
    const error = await failing(ask('gpt-4o', anonymous))
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(error.code).toBe('no_api_key')
  })

  it('an exhausted key and an exhausted user are PermissionDeniedErrors that are not retried', async () => {
    const { key } = await world.token(alice, { unlimited_quota: false, remain_quota: 3 })
    const poor = await world.user({ quota: 0 })
    for (const [apiKey, userId, code] of [
      [key, alice.id, 'pre_consume_token_quota_failed'],
      [await poor.key(), poor.id, 'insufficient_user_quota'],
    ] as const) {
      const before = (await receiptsOf(world, userId)).length
      const error = await failing(ask('gpt-4o', clientWith(`sk-${apiKey}`, 3)))
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError)
      expect(error).toMatchObject({ status: 403, code })
      expect((await receiptsOf(world, userId)).length - before).toBe(1)
    }
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('an upstream 429 is a RateLimitError with its Retry-After, a 500 an InternalServerError', async () => {
    const error = { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded', param: null }
    world.upstream.answers({ status: 429, headers: { 'retry-after': '7' }, body: { error } })
    const limited = await failing(ask())
    expect(limited).toBeInstanceOf(OpenAI.RateLimitError)
    expect(limited.headers.get('retry-after')).toBe('7')
    world.clock.advanceSeconds(8)
    world.upstream.answers({ status: 500, body: { error: { ...error, message: 'boom' } } })
    const broken = await failing(ask())
    expect(broken).toBeInstanceOf(OpenAI.InternalServerError)
    expect(broken.message).toContain('boom')
  })

  it('an upstream 400 preserves its message, type, code and param', async () => {
    const error = {
      message: 'too long',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    }
    world.upstream.answers({ status: 400, body: { error } })
    const refused = await failing(ask())
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError)
    expect(refused.error).toMatchObject({ ...error, message: expect.stringMatching(/^too long \(request id: \d{14}/) })
  })

  it('an error event in the middle of a stream is an APIError', async () => {
    const [first] = chatStream(['Hello'])
    world.upstream.streams([first!, { error: { message: 'ran out', type: 'server_error', code: null, param: null } }])
    const error = await failing(client.chat.completions.stream({ model: 'gpt-4o', messages }).done())
    expect(error).toBeInstanceOf(OpenAI.APIError)
    expect(error.message).toContain('ran out')
  })

  it('a stream that breaks off is an APIError, even in the middle of a line', async () => {
    const [first] = chatStream(['Hello'])
    for (const cut of [`data: ${JSON.stringify(first)}\n\n`, `data: ${JSON.stringify(first)}\n`, 'data: {"id":"half']) {
      world.upstream.streams([first!, Buffer.from(cut), 'never'], { cutAfter: 2, gapMs: 20 })
      const error = await failing(client.chat.completions.stream({ model: 'gpt-4o', messages }).done())
      expect(error, JSON.stringify(cut)).toBeInstanceOf(OpenAI.APIError)
      expect(error.code).toBe('stream_response_error')
    }
  })

  it('a caller that leaves ends the upstream call within two seconds', async () => {
    world.upstream.streams(chatStream(['one', 'two', 'three']), { gapMs: 100, hang: true })
    const stream = await client.chat.completions.create({ model: 'gpt-4o', messages, stream: true })
    // The upstream's call is aborted at once, without waiting for a timer.
    await untimed(async () => {
      for await (const _ of stream) break
      expect(await world.upstream.last().aborted).toBe(true)
    })
  })
})

describe('the official OpenAI client before a silent upstream (docs/reference/streams.md#time-outs)', () => {
  it('gets a 504 InternalServerError, charged nothing; a response that is not a stream may take five times as long', async () => {
    const slow = await aWorld({
      options: { ModelRatio: { 'gpt-4o': 1 } },
      config: { UPSTREAM_HEADERS_TIMEOUT: '1' },
    })
    await slow.channel()
    await slow.channel()
    const bob = await slow.user({ quota: 1_000_000 })
    const patient = new OpenAI({ apiKey: await bob.key(), baseURL: `${slow.url}/v1`, maxRetries: 0 })
    const { promise: streamFailed, resolve: endWhole } = Promise.withResolvers<void>()
    slow.upstream.answers(async ({ json }) => {
      if (json.stream) return { hang: true }
      await streamFailed
      return { body: chatAnswer('at last') }
    })
    const whole = ask('gpt-4o', patient)
    const error = await failing(patient.chat.completions.create({ model: 'gpt-4o', messages, stream: true }))
    expect(error).toBeInstanceOf(OpenAI.InternalServerError)
    expect(error.status).toBe(504)
    expect(slow.upstream.requests).toHaveLength(2)
    expect(await bob.quota()).toBe(1_000_000)
    endWhole()
    expect((await whole).choices[0]?.message.content).toBe('at last')
  })
})
