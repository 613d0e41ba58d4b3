import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lastReceipt, receiptsOf } from '../gateway/relay/metering/receipts.ts'
import { namedEvent } from '../support/said.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GPT = 'gpt-4.1'
const GEMINI = 'gemini-2.5-flash'
let world: World
let mallory: Person
beforeAll(async () => {
  const ModelRatio = { [GPT]: 1, [GEMINI]: 1, 'gemini-2.5-pro': 0.625, azure: 1, 'gpt-image-1': 1 }
  world = await aWorld({ config: { RELAY_TIMEOUT: '60' }, options: { ModelRatio, RetryTimes: 2 } })
  for (let made = 0; made < 3; made += 1) {
    await world.channel({ models: GPT })
    await world.channel({ type: 24, models: GEMINI })
  }
  await world.channel({ type: 24, models: 'gemini-2.5-pro' })
  await world.channel({ type: 3, models: 'azure', other: '2025-01-01' })
})
beforeEach(async () => {
  world.upstream.reset()
  mallory = await world.user({ quota: 1_000_000_000 })
})

const json = { 'content-type': 'application/json' }
const charged = async (path: string, body: object) => {
  const before = await mallory.quota()
  const { status } = await mallory.calls(path, body)
  return { status, cost: before - (await mallory.quota()), calls: world.upstream.requests.length }
}

describe('what a vendor bills although the caller gets an error (docs/reference/billing.md#billed-errors)', () => {
  it.each([false, true])('mistakes of a model on all channels, streamed: %s', async (stream) => {
    const slip = {
      candidates: [{ index: 0, content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
      usageMetadata: { promptTokenCount: 20_000, thoughtsTokenCount: 0, totalTokenCount: 20_000 },
    }
    world.upstream.answers(stream ? { events: [slip] } : { body: slip })
    const call = { model: GEMINI, stream, messages: [{ role: 'user', content: 'hi' }] }
    expect(await charged('/v1/chat/completions', call)).toEqual({ status: 502, cost: 6 * 20_000, calls: 6 })
  })

  it.each([
    ['an error that is not billed', { status: 400, body: { error: { message: 'no', status: 'INVALID_ARGUMENT' } } }, 0],
    [
      'an error that is billed too',
      {
        status: 400,
        body: { error: { code: 'json_validate_failed', message: 'x', failed_generation: 'word '.repeat(400) } },
      },
      400,
    ],
  ])('mistakes of a model before %s', async (_, last, output) => {
    const slip = {
      candidates: [{ index: 0, content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
      usageMetadata: { promptTokenCount: 20_000, totalTokenCount: 20_000 },
    }
    const call = { model: GEMINI, messages: [{ role: 'user', content: 'hi' }] }
    // On the same channel, and on the next one.
    for (const slips of [1, 2]) {
      world.upstream.reset()
      world.upstream.answers(...Array.from({ length: slips }, () => ({ body: slip })), last)
      const { cost, calls } = await charged('/v1/chat/completions', call)
      expect(calls).toBe(slips + 1)
      expect(cost).toBeGreaterThanOrEqual(slips * 20_000 + output)
      expect(cost).toBeLessThan(slips * 20_000 + 10_000)
    }
  })

  it('mistakes of a model before a call that the time limit of calls ends', async () => {
    const slip = {
      candidates: [{ index: 0, content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
      usageMetadata: { promptTokenCount: 20_000, totalTokenCount: 20_000 },
    }
    const refused = { status: 400, body: { error: { message: 'no', status: 'INVALID_ARGUMENT' } } }
    world.upstream.answers({ body: slip }, { hang: true }, refused)
    const result = charged('/v1/chat/completions', { model: GEMINI, messages: [{ role: 'user', content: 'hi' }] })
    await expect.poll(() => world.upstream.requests.length).toBe(2)
    world.clock.advance(61_000)
    expect(await result).toEqual({ status: 400, cost: 20_000, calls: 3 })
  })

  it('mistakes of a model, without the price of longer prompts than each had', async () => {
    await world.option('RetryTimes', 1)
    const slip = {
      candidates: [{ index: 0, content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }],
      usageMetadata: { promptTokenCount: 150_000, totalTokenCount: 150_000 },
    }
    world.upstream.answers({ body: slip })
    const call = { model: 'gemini-2.5-pro', messages: [{ role: 'user', content: 'hi' }] }
    // 1.25 dollars for a million tokens; prompts of more than 200,000 tokens cost twice as much.
    expect(await charged('/v1/chat/completions', call)).toEqual({ status: 502, cost: 2 * 93_750, calls: 2 })
    await world.option('RetryTimes', 2)
  })

  it.each([false, true])('a prompt that Gemini has read and blocked, streamed: %s', async (stream) => {
    const blocked = {
      promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
      usageMetadata: { promptTokenCount: 20_000, totalTokenCount: 20_000 },
    }
    world.upstream.answers(stream ? { events: [blocked] } : { body: blocked })
    const call = { model: GEMINI, stream, messages: [{ role: 'user', content: 'hi' }] }
    expect(await charged('/v1/chat/completions', call)).toMatchObject({ cost: 20_000, calls: 1 })
  })

  it.each([
    [
      'a prompt that is too long for a model at Azure',
      400,
      { code: 'context_length_exceeded', message: 'maximum context length' },
    ],
    ['a call that Azure ends after a time', 408, { code: 'Timeout', message: 'The operation was timeout.' }],
    [
      'output that did not fit a schema at Groq',
      400,
      { code: 'json_validate_failed', message: 'x', failed_generation: 'y' },
    ],
  ])('%s', async (_, status, error) => {
    world.upstream.answers({ status, body: { error } })
    const body = { model: 'azure', messages: [{ role: 'user', content: 'word '.repeat(5000) }] }
    const { cost, calls } = await charged('/v1/chat/completions', body)
    expect([cost > 4000, calls]).toEqual([true, 1])
  })

  it('output that did not fit a schema, in a stream', async () => {
    const failed_generation = 'The output of the model. '.repeat(100)
    world.upstream.answers({
      events: [
        { choices: [{ index: 0, delta: { role: 'assistant', content: 'x' } }] },
        { error: { message: 'x', code: 'json_validate_failed', failed_generation } },
      ],
    })
    const { cost } = await charged('/v1/chat/completions', {
      model: GPT,
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(cost).toBeGreaterThan(400)
  })

  describe('output that an error quotes', () => {
    const output = 'The light reactions split water, and the Calvin cycle fixes carbon dioxide. '.repeat(20)
    const tokens = 20 * 15
    const code = 'tool_use_failed'
    const refused = (message: string, more: object = {}) => ({ message, type: 'invalid_request_error', ...more })
    const property = `parameters for tool say did not match schema: additional properties '${output}' not allowed`
    const name = `attempted to call tool '${output}' which was not in request.tools`
    const wrapped = `litellm.BadRequestError: GroqException - ${JSON.stringify({ error: { failed_generation: output } })}`
    const errors = {
      'the name of a property, at Groq': refused(property, { code }),
      'the name of a tool, at Groq': refused(name, { code }),
      'the name of a tool, without a code': refused(name),
      'the whole error of Groq, by LiteLLM': refused(wrapped),
    }
    const ways = ['whole', 'refused stream', 'first event', 'later event', 'later event for Claude'] as const
    const call = { model: GPT, messages: [{ role: 'user', content: 'hi' }], max_tokens: 2000 }
    it.each(Object.entries(errors).flatMap(([what, error]) => ways.map((way) => [what, way, error] as const)))(
      '%s: %s',
      async (_, way, error) => {
        const first = { choices: [{ index: 0, delta: { role: 'assistant', content: 'x' } }] }
        const events = way === 'first event' ? [{ error }] : [first, { error }]
        world.upstream.answers(
          way.endsWith('event') || way.includes('later') ? { events } : { status: 400, body: { error } },
        )
        const path = way.endsWith('Claude') ? '/v1/messages' : '/v1/chat/completions'
        const { cost, calls } = await charged(path, { ...call, stream: way !== 'whole' })
        expect([cost >= tokens, calls]).toEqual([true, 1])
      },
    )

    it('of a parser of tool calls at Ollama is not shown, and costs nothing', async () => {
      const message = `error parsing tool call: raw='${output}', err=invalid character`
      world.upstream.answers({ status: 500, body: { error: { message, type: 'api_error' } } })
      const before = await mallory.quota()
      const { json: shown } = await mallory.calls('/v1/chat/completions', call)
      expect(shown.error.message).toContain('the tool call of the model could not be parsed')
      expect(JSON.stringify(shown)).not.toContain('Calvin')
      expect(await mallory.quota()).toBe(before)
    })

    it.each(['/v1/chat/completions', '/v1/messages'])(
      'of a parser of tool calls, within a stream: %s',
      async (path) => {
        const error = { message: `error parsing tool call: raw='${output}', err=invalid character`, type: 'api_error' }
        const first = { choices: [{ index: 0, delta: { role: 'assistant', content: 'x' } }] }
        world.upstream.answers({ events: [first, { error }] })
        expect((await charged(path, { ...call, stream: true })).cost).toBeGreaterThanOrEqual(tokens)
      },
    )

    it('in an error that is cut', async () => {
      const error = { code: 'json_validate_failed', failed_generation: output.repeat(100), message: 'x' }
      world.upstream.answers({ status: 400, body: { error } })
      const content = 'word '.repeat(5000)
      const { cost, calls } = await charged('/v1/chat/completions', { ...call, messages: [{ role: 'user', content }] })
      expect([cost > 4000, calls]).toEqual([true, 1])
    })
  })

  it('a prompt that Azure has filtered', async () => {
    const error = { message: 'The response was filtered', code: 'content_filter', status: 400 }
    world.upstream.answers({ status: 400, body: { error } })
    const content = 'word '.repeat(5000)
    const { status, cost } = await charged('/v1/chat/completions', {
      model: 'azure',
      messages: [{ role: 'user', content }],
    })
    expect([status, cost > 4000]).toEqual([400, true])
  })
})

/** A Responses stream with images by the vendor's tool, which its last event repeats (OpenAI, "Streaming events"). */
function drawn(images: number, bytes: number, isComplete: boolean): Buffer[] {
  let sequence_number = -1
  const event = (type: string, more: object) => {
    sequence_number += 1
    return namedEvent(type, { type, sequence_number, ...more })
  }
  const tools = [{ type: 'image_generation', quality: 'high' }]
  const response = { id: 'resp_1', object: 'response', status: 'in_progress', model: GPT, output: [], tools }
  const result = 'A'.repeat(bytes)
  const items = Array.from({ length: images }, (_, at) => ({
    id: `ig_${at}`,
    type: 'image_generation_call',
    status: 'completed',
    quality: 'high',
    result,
  }))
  const usage = { input_tokens: 100, output_tokens: 100, total_tokens: 200 }
  return [
    event('response.created', { response }),
    ...items.map((item, output_index) => event('response.output_item.done', { output_index, item })),
    ...(isComplete
      ? [event('response.completed', { response: { ...response, status: 'completed', output: items, usage } })]
      : []),
  ]
}
const draw = { model: GPT, stream: true, tools: [{ type: 'image_generation', quality: 'high' }], input: 'draw' }

describe('tools of the vendor in a response whose figures cannot be read', () => {
  const images = 12
  it.each([
    ['its last line is too long', () => drawn(images, 3_000_000, true), {}],
    ['it breaks off', () => drawn(images, 1000, false), {}],
  ])('are charged as they came: %s', async (_, events) => {
    world.upstream.streams(events())
    await mallory.calls('/v1/responses', draw)
    const { second_model } = (await lastReceipt(world, mallory.id)).other
    expect(second_model.calls).toBe(images)
    expect(second_model.completion_tokens).toBe(images * 6240)
  })

  it('are charged as they came if the time limit of calls ends it', async () => {
    world.upstream.streams(drawn(images, 1000, false), { hang: true })
    const answer = mallory.calls('/v1/responses', draw)
    await expect.poll(() => world.upstream.requests.length).toBe(1)
    await expect
      .poll(async () => {
        world.clock.advance(61_000)
        return (await receiptsOf(world, mallory.id)).at(-1)?.other.second_model?.calls
      })
      .toBe(images)
    await answer
  })

  it.each([
    ['containers', { type: 'code_interpreter_call', id: 'ci_1', status: 'completed', code: '', container_id: 'c' }],
    ['searches', { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } }],
  ])('are charged in a long response too: %s', async (kind, item) => {
    const scored = { token: 'x', logprob: -1, bytes: [120] }
    const logprobs = Array(2500).fill({ ...scored, top_logprobs: Array(20).fill(scored) })
    const text = { type: 'output_text', text: 'x', annotations: [], logprobs }
    const message = { type: 'message', id: 'm', role: 'assistant', status: 'completed', content: [text] }
    const tools = [
      { type: 'code_interpreter', container: { type: 'auto', memory_limit: '16g' } },
      { type: 'web_search' },
    ]
    const body = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: GPT,
      output: [item, message],
      tools,
      usage: { input_tokens: 100, output_tokens: 2500, total_tokens: 2600 },
    }
    world.upstream.answers({ body: JSON.stringify(body, null, 1), headers: json })
    const include = ['message.output_text.logprobs']
    expect((await charged('/v1/responses', { model: GPT, tools, include, top_logprobs: 20, input: 'x' })).status).toBe(
      200,
    )
    const { other } = await lastReceipt(world, mallory.id)
    if (kind === 'containers') expect(other.code_interpreter_gigabytes ?? other.code_interpreter).toBeTruthy()
    else expect(other.web_search_call_count).toBe(1)
  })
})

it('a stream that ends with an error about its output starts no cooldown (docs/reference/selection.md#cooldowns)', async () => {
  for (const [key, priority] of [
    ['first', 9],
    ['second', 0],
  ] as const)
    await world.channel({ models: 'tools', key, priority })
  await world.option('ModelRatio', { tools: 1 })
  const error = { message: 'x', code: 'json_validate_failed', failed_generation: '{"a":' }
  const delta = { choices: [{ index: 0, delta: { content: 'A part.' }, finish_reason: null }] }
  const call = { model: 'tools', stream: true, messages: [{ role: 'user', content: 'hi' }] }
  world.upstream.streams([delta, { error }])
  for (let turn = 0; turn < 4; turn += 1) await mallory.calls('/v1/chat/completions', call)
  const keys = world.upstream.requests.map(({ headers }) => headers.authorization)
  expect(keys).toEqual(Array(4).fill('Bearer first'))
})
