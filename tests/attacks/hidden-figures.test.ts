import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { chatAnswer } from '../support/chat.ts'
import { leaveAt } from '../support/leaving-caller.ts'
import { namedEvent } from '../support/said.ts'
import type { Recorded, StreamEvent } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GPT = 'gpt-5'
const DRAWING = 'gemini-2.5-flash-image'
let world: World
let mallory: Person
beforeAll(async () => {
  const ModelRatio = { [GPT]: 1, [DRAWING]: 1, 'claude-opus-4-5': 1 }
  world = await aWorld({ options: { ModelRatio, CompletionRatio: { [GPT]: 1, [DRAWING]: 1 }, RetryTimes: 2 } })
  for (let made = 0; made < 3; made += 1) await world.channel({ models: GPT })
  await world.channel({ type: channelTypes.gemini.id, models: DRAWING })
  await world.channel({ type: channelTypes.anthropic.id, models: 'claude-opus-4-5' })
})
beforeEach(async () => {
  world.upstream.reset()
  mallory = await world.user({ quota: 1_000_000_000 })
})

const receipt = async () => {
  const { prompt_tokens, completion_tokens } = await lastReceipt(world, mallory.id)
  return [prompt_tokens, completion_tokens]
}
const named = (event: Readonly<{ type: string } & Record<string, unknown>>) => namedEvent(event.type, event)
const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, {}]))
const usage = { input_tokens: 60_000, output_tokens: 120_400, total_tokens: 180_400 }
const message = {
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], text: '42' }],
}

describe('more member names than are read (docs/reference/billing.md#responses-too-long-to-read)', () => {
  /** A stream whose first and last event repeat the tools of the request, and `more` names at the end. */
  const repeating = (more: number) => (asked: Recorded) => {
    const head = { id: 'resp_1', object: 'response', model: GPT, output: [], tools: asked.json.tools ?? [] }
    const output = [message, { id: 'x', type: 'mcp_list_tools', tools: [{ name: 'a', input_schema: names(more) }] }]
    return {
      events: [
        named({ type: 'response.created', response: { ...head, status: 'in_progress' } }),
        named({ type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } }),
        named({
          type: 'response.output_text.delta',
          item_id: 'msg_1',
          output_index: 0,
          content_index: 0,
          delta: '42',
        }),
        named({ type: 'response.output_item.done', output_index: 0, item: message }),
        named({ type: 'response.completed', response: { ...head, status: 'completed', output, usage } }),
      ],
    }
  }
  const toolOf = (count: number) => [
    { type: 'function', name: 'f', strict: false, parameters: { type: 'object', properties: names(count) } },
  ]
  it.each([
    ['in the last event', [], 50_000],
    ['in the first and the last', toolOf(39_000), 3000],
    ['in neither', toolOf(10), 0],
  ])('%s do not hide the figures of a stream', async (_, tools, more) => {
    world.upstream.answers(repeating(more))
    const { status } = await mallory.calls('/v1/responses', { model: GPT, stream: true, input: 'hi', tools })
    expect([status, await receipt()]).toEqual([200, [60_000, 120_400]])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('do not hide the figures of a whole response', async () => {
    const output = [{ id: 'x', type: 'mcp_list_tools', tools: [{ name: 'a', input_schema: names(50_000) }] }, message]
    world.upstream.answers({
      body: { id: 'resp_1', object: 'response', status: 'completed', model: GPT, output, usage },
    })
    const { status } = await mallory.calls('/v1/responses', { model: GPT, input: 'hi' })
    expect([status, await receipt()]).toEqual([200, [60_000, 120_400]])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('cost the reservation if they are in an event that cannot be read at all', async () => {
    const events = [
      { choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' } }] },
      { choices: [], usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 }, more: names(50_000) },
    ]
    world.upstream.streams(events)
    await mallory.calls('/v1/chat/completions', {
      model: GPT,
      stream: true,
      max_tokens: 5000,
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect((await receipt())[1]).toBe(5000)
  })
})

describe('a server that the caller names (docs/reference/billing.md#servers-of-callers)', () => {
  const tools = [{ type: 'mcp', server_label: 'm', server_url: 'https://mcp.example', require_approval: 'never' }]
  const failed = (text: string) => ({
    status: 424,
    body: { error: { message: text, type: 'external_connector_error' } },
  })
  const ask = (more: object = {}) =>
    mallory.calls('/v1/responses', { model: GPT, input: 'word '.repeat(3000), tools, max_output_tokens: 9000, ...more })

  const calling = 'Error calling tool submit on MCP server m. Http status code: 424 (Failed Dependency)'
  it.each([
    ['soon', 5, 3000, 50_000],
    ['late', 60, 1_048_576, 1_100_000],
  ])('costs prompt and time if it fails during the work: %s', async (_, seconds, min, max) => {
    world.upstream.answers(() => {
      world.clock.advance(seconds * 1000)
      return failed(calling)
    })
    expect((await ask()).status).toBe(424)
    const [prompt = 0, completion = 0] = await receipt()
    expect([prompt >= min, prompt < max, completion]).toEqual([true, true, seconds * 50])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('costs prompt and time if its tools could not be listed later on', async () => {
    world.upstream.answers(() => {
      world.clock.advance(60_000)
      return failed('Error retrieving tool list from MCP server: m. Http status code: 424')
    })
    await ask()
    expect((await receipt())[1]).toBe(3000)
  })

  it.each(['fails', 'falls silent'])(
    'costs what the model has read from it if the stream %s without figures',
    async (how) => {
      const output = 'x'.repeat(300_000)
      const call = { id: 'i', type: 'mcp_call', name: 'f', arguments: '{}', output, error: null, status: 'completed' }
      const events = [
        named({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', model: GPT, output: [] } }),
        ...[0, 1, 2].map((at) =>
          named({ type: 'response.output_item.done', output_index: at, item: { ...call, id: `i${at}` } }),
        ),
        named({
          type: 'response.output_text.delta',
          item_id: 'm',
          output_index: 3,
          content_index: 0,
          delta: 'the answer',
        }),
      ]
      const failure = named({
        type: 'response.failed',
        response: { id: 'resp_1', status: 'failed', error: { code: 'x', message: 'x' } },
      })
      world.upstream.answers(
        how === 'fails' ? { events: [...events, failure] } : { events: [...events, 'never'], cutAfter: events.length },
      )
      await ask({ stream: true })
      expect((await receipt())[0]).toBeGreaterThan(3 * 100_000)
    },
  )

  it('costs nothing if its tools cannot be listed, and no other channel is called', async () => {
    world.upstream.answers(failed('Error retrieving tool list from MCP server: m. Http status code: 424'))
    expect((await ask()).status).toBe(424)
    expect(world.upstream.requests).toHaveLength(1)
    expect(await mallory.quota()).toBe(1_000_000_000)
  })

  it('is not the reason of every 424: Bedrock’s is retried on another channel', async () => {
    const chat = { model: GPT, messages: [{ role: 'user', content: 'hi' }] }
    world.upstream.answers(
      { status: 424, body: { message: 'An error while processing the model' } },
      { body: chatAnswer('hi') },
    )
    expect((await mallory.calls('/v1/chat/completions', chat)).status).toBe(200)
  })

  it('costs prompt and time if the connection breaks, at most as long as the output may be', async () => {
    world.upstream.answers(() => {
      world.clock.advance(600_000)
      throw new Error('the connection breaks')
    })
    expect((await ask()).status).toBe(502)
    expect((await receipt())[1]).toBe(9000)
    expect(world.upstream.requests).toHaveLength(1)
  })

  const work = 'The whole answer, one paragraph after the other. '.repeat(200)
  const pieces = work.match(/.{1,1000}/g) ?? []
  const deltas = (type: string, item: object): StreamEvent[] => [
    named({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', model: GPT, output: [] } }),
    named({
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'i', status: 'in_progress', ...item },
    }),
    ...pieces.map((delta) => named({ type, output_index: 0, item_id: 'i', delta })),
    named({
      type: 'response.failed',
      response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'x' } },
    }),
  ]
  it.each([
    ['the arguments of its calls', 'response.mcp_call_arguments.delta', { type: 'mcp_call', name: 'f', arguments: '' }],
    ['code', 'response.code_interpreter_call_code.delta', { type: 'code_interpreter_call', code: '' }],
  ])('receives output that counts although the response fails: %s', async (_, type, item) => {
    world.upstream.answers({ events: deltas(type, item) })
    await ask({ stream: true })
    expect((await receipt())[1]).toBeGreaterThan(1500)
  })

  it('receives output that counts although the response fails: the input of Anthropic’s calls', async () => {
    const block = { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'f', server_name: 'm', input: {} }
    const start = {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      usage: { input_tokens: 9, output_tokens: 1 },
    }
    world.upstream.answers({
      events: [
        named({ type: 'message_start', message: start }),
        named({ type: 'content_block_start', index: 0, content_block: block }),
        ...pieces.map((partial_json) =>
          named({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } }),
        ),
        named({ type: 'error', error: { type: 'api_error', message: 'x' } }),
      ],
    })
    await mallory.calls('/v1/messages', {
      model: 'claude-opus-4-5',
      stream: true,
      max_tokens: 9000,
      messages: [{ role: 'user', content: 'hi' }],
      mcp_servers: [{ type: 'url', url: 'https://mcp.example', name: 'm' }],
    })
    expect((await receipt())[1]).toBeGreaterThan(1500)
  })
})

it('work that is only begun is refused: xAI’s deferred completions', async () => {
  const { status, json } = await mallory.calls('/v1/chat/completions', {
    model: GPT,
    deferred: true,
    messages: [{ role: 'user', content: 'hi' }],
  })
  expect([status, json.error.param, world.upstream.requests.length]).toEqual([400, 'deferred', 0])
})

it.each([{}, { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }])(
  'an image in a conversation is charged by the figures at its end if its caller leaves before: %j',
  async (more) => {
    const chunk = (parts: object[], usageMetadata: object, ends = {}) => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...ends }],
      usageMetadata,
    })
    const begun = { promptTokenCount: 10, totalTokenCount: 10 }
    const ended = { promptTokenCount: 10, candidatesTokenCount: 1295, totalTokenCount: 1305 }
    const data = Buffer.alloc(30_000, 7).toString('base64')
    world.upstream.answers({
      gapMs: 100,
      events: [
        chunk([{ inlineData: { mimeType: 'image/png', data } }], begun),
        chunk([{ text: '' }], ended, { finishReason: 'STOP' }),
      ],
    })
    const path = `/v1beta/models/${DRAWING}:streamGenerateContent?alt=sse`
    const body = { contents: [{ role: 'user', parts: [{ text: 'draw' }] }], ...more }
    await leaveAt(world, mallory, path, body, () => true)
    expect(await receipt()).toEqual([10, 1295])
  },
)
