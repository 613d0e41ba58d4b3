import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RelayAnswer } from '../../../support/relay-client.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf, recomputed } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: 'claude-sonnet-4-5', type: 14 })
  await world.channel({ models: 'gpt-5' })
  await world.channel({ models: 'gemini-3-pro-preview', type: 24 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const page = { url: 'https://news.example/1', title: 'News' }
const place = { type: 'url_citation', start_index: 0, end_index: 3, ...page }
const output = [
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'SEAL' },
  {
    type: 'web_search_call',
    id: 'ws_1',
    status: 'completed',
    action: { type: 'search', query: 'news', sources: [{ type: 'url', url: page.url }] },
  },
  {
    type: 'message',
    id: 'msg_1',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Hi.', annotations: [place] }],
  },
]
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const ofOpenai = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-5', error: null, output, usage }
const ofAnthropic = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Yes.' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
}
const WORDS = '\n(The web was searched for "news". It found:\n- https://news.example/1)\n'
const question = { role: 'user', content: 'What is new?' }
const asking = (model: string, ...messages: readonly object[]) => ({
  model,
  max_tokens: 1024,
  messages: [question, ...messages],
  tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }],
})

/** A search by OpenAI as an Anthropic client receives it, streamed or not. */
async function searched(stream: boolean) {
  if (stream)
    world.upstream.streams([
      { type: 'response.created', response: { ...ofOpenai, status: 'in_progress', output: [] } },
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
      { type: 'response.completed', response: ofOpenai },
    ])
  else world.upstream.answers({ body: ofOpenai })
  const before = (await receiptsOf(world, alice.id)).length
  const answer = await alice.calls('/v1/messages', { ...asking('gpt-5'), stream })
  expect(answer.status, answer.text).toBe(200)
  const receipt = await lastReceipt(world, alice.id, before + 1)
  return { answer, receipt }
}

/** The blocks of a stream, as a client stores them. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the gateway sent
function blocksOf(events: readonly any[]) {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const blocks: any[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index] = { ...block }
    if (delta?.type === 'input_json_delta') blocks[index].input = JSON.parse(delta.partial_json)
    if (delta?.type === 'text_delta') blocks[index].text += delta.text
    if (delta?.type === 'citations_delta') blocks[index].citations = [delta.citation]
  }
  return blocks
}

describe('a search that a vendor ran (docs/reference/conversion.md#vendor-searches)', () => {
  it.each([false, true])(
    'is shown to clients of another, charged equally, and goes back to the vendor that ran it, streamed: %s',
    async (stream) => {
      const { answer, receipt } = await searched(stream)
      expect(world.upstream.last().json.include).toEqual([
        'reasoning.encrypted_content',
        'web_search_call.action.sources',
      ])
      const blocks = stream ? blocksOf(answer.events) : answer.json.content
      expect(blocks.map(({ type }: { type: string }) => type)).toEqual([
        ...['redacted_thinking', 'server_tool_use', 'web_search_tool_result', 'text'],
      ])
      expect(blocks[1]).toMatchObject({ name: 'web_search', input: { query: 'news' } })
      expect(blocks[2].content).toMatchObject([{ url: page.url, title: page.url }])
      expect(receipt.quota).toBe(recomputed(receipt))

      world.upstream.reset()
      world.upstream.answers({ body: ofOpenai })
      const next = await alice.calls('/v1/messages', asking('gpt-5', { role: 'assistant', content: blocks }, question))
      expect(next.status, next.text).toBe(200)
      const [, thought, search, message] = world.upstream.last().json.input
      expect(thought).toMatchObject({ type: 'reasoning', id: 'rs_1', encrypted_content: 'SEAL' })
      expect(search).toEqual(output[1])
      expect(message).toMatchObject({ role: 'assistant' })
    },
  )

  it.each([false, true])(
    'is sent to Anthropic as text, which never sees a search that it has not sealed, streamed: %s',
    async (stream) => {
      const { answer } = await searched(stream)
      const blocks = stream ? blocksOf(answer.events) : answer.json.content
      world.upstream.reset()
      world.upstream.answers({ body: ofAnthropic })
      const body = asking('claude-sonnet-4-5', { role: 'assistant', content: blocks }, question)
      const { status, text } = await alice.calls('/v1/messages', body)
      expect(status, text).toBe(200)
      const { json, text: sent } = world.upstream.last()
      expect(json.messages[1].content).toEqual([
        { type: 'text', text: WORDS },
        { type: 'text', text: 'Hi.' },
      ])
      expect(sent).not.toContain('switchyard')
    },
  )

  it('is sent as the same text to every vendor, each time', async () => {
    const { answer } = await searched(false)
    const { content } = answer.json
    const told = async (model: string, body: object) => {
      world.upstream.reset()
      world.upstream.answers({ body })
      await alice.calls('/v1/messages', asking(model, { role: 'assistant', content }, question))
      return JSON.stringify(world.upstream.last().json.messages)
    }
    const first = await told('claude-sonnet-4-5', ofAnthropic)
    expect(await told('claude-sonnet-4-5', ofAnthropic)).toBe(first)
  })

  it('is requested without the pages it finds where the service cannot list them', async () => {
    const message = "Invalid value: 'web_search_call.action.sources'."
    const refusal = { status: 400, body: { error: { message, type: 'invalid_request_error', param: 'include[1]' } } }
    world.upstream.answers(refusal, { body: ofOpenai })
    const { status, text } = await alice.calls('/v1/messages', asking('gpt-5'))
    expect(status, text).toBe(200)
    expect(world.upstream.requests.map(({ json }) => json.include)).toEqual([
      ['reasoning.encrypted_content', 'web_search_call.action.sources'],
      ['reasoning.encrypted_content'],
    ])
  })

  it('of Anthropic’s own passes to it byte for byte', async () => {
    const content = [...own, { type: 'text', text: 'Hi.' }]
    world.upstream.answers({ body: ofAnthropic })
    const body = asking('claude-sonnet-4-5', { role: 'assistant', content }, question)
    await alice.calls('/v1/messages', body)
    expect(world.upstream.last().json).toEqual(body)
  })

  it.each([false, true])(
    'of Anthropic’s goes back to it through a client of Responses as the blocks it was, streamed: %s',
    async (stream) => {
      const said = { ...ofAnthropic, content: [thought, ...own, { type: 'text', text: 'Hi.' }] }
      world.upstream.answers({ body: said })
      if (stream) world.upstream.streams(streamOf(said.content))
      const asked = { model: 'claude-sonnet-4-5', input: [question], tools: [{ type: 'web_search' }] }
      const answer = await alice.calls('/v1/responses', { ...asked, stream })
      expect(answer.status, answer.text).toBe(200)
      const items = stream ? answer.events.at(-1).response.output : answer.json.output
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        ...['reasoning', 'reasoning', 'web_search_call', 'message'],
      ])
      expect(items[2].action).toEqual({ type: 'search', query: 'news', sources: [{ type: 'url', url: page.url }] })

      world.upstream.reset()
      const unknown = 'messages.1.content.1: Invalid `encrypted_content` in `search_result` block'
      const refusal = {
        status: 400,
        body: { type: 'error', error: { type: 'invalid_request_error', message: unknown } },
      }
      world.upstream.answers(refusal, { body: ofAnthropic })
      const next = await alice.calls('/v1/responses', { ...asked, input: [question, ...items, question] })
      expect(next.status, next.text).toBe(200)
      const [first, second] = world.upstream.requests.map(({ json }) => json.messages[1].content)
      expect(first).toEqual([thought, ...own, { type: 'text', text: 'Hi.' }])
      // After the refusal by a key that cannot decrypt the search, it is sent as text.
      expect(second.map((block: { text?: string }) => block.text)).toEqual([undefined, WORDS, 'Hi.'])
    },
  )
})

describe('the activity of Google’s tools together with functions (docs/reference/conversion.md#non-function-tools)', () => {
  const parts = [
    { toolCall: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['news'] } } },
    { toolResponse: { id: 's1', toolType: 'GOOGLE_SEARCH_WEB', response: { found: 1 } }, thoughtSignature: 'c2lnbg==' },
    { functionCall: { id: 'f1', name: 'weather', args: { city: 'Paris' } }, thoughtSignature: 'Y2FsbA==' },
  ]
  const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
  const ofGoogle = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }], usageMetadata }
  const model = 'gemini-3-pro-preview'
  const said = { name: 'weather', description: 'Tells the weather.' }
  const schema = { type: 'object', properties: { city: { type: 'string' } } }

  /** By dialect: a client's first request, and the next one with the complete response. */
  const clients: Readonly<Record<string, Client>> = {
    '/v1/chat/completions': {
      asked: {
        model,
        messages: [question],
        tools: [{ type: 'function', function: { ...said, parameters: schema } }],
        web_search_options: {},
      },
      next: (body, { json, events }) => {
        const deltas = events.flatMap(({ choices }) => choices ?? []).map(({ delta }) => delta)
        const streamed = {
          role: 'assistant',
          content: null,
          reasoning_details: deltas.flatMap((each) => each.reasoning_details ?? []),
          tool_calls: deltas.flatMap((each) => each.tool_calls ?? []).map(({ index: _, ...each }) => each),
        }
        const message = json?.choices[0].message ?? streamed
        const tool_call_id = message.tool_calls[0].id
        return { ...body, messages: [question, message, { role: 'tool', tool_call_id, content: '21' }] }
      },
    },
    '/v1/messages': {
      asked: {
        ...asking(model),
        tools: [
          { type: 'web_search_20250305', name: 'web_search' },
          { ...said, input_schema: schema },
        ],
      },
      next: (body, { json, events }) => {
        const content = json?.content ?? blocksOf(events)
        const id = content.at(-1).id
        const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '21' }] }
        return { ...body, messages: [question, { role: 'assistant', content }, result] }
      },
    },
    '/v1/responses': {
      asked: {
        model,
        input: [question],
        tools: [{ type: 'web_search' }, { type: 'function', ...said, parameters: schema }],
      },
      next: (body, { json, events }) => {
        const { output } = json ?? events.at(-1).response
        const call_id = output.at(-1).call_id
        return { ...body, input: [question, ...output, { type: 'function_call_output', call_id, output: '21' }] }
      },
    },
  }
  const ways = Object.keys(clients).flatMap((path) => [false, true].map((stream) => [path, stream] as const))

  it.each(ways)('comes back to it unchanged, through %s, streamed: %s', async (path, stream) => {
    const client = clients[path]
    if (!client) throw new Error(`nobody asks ${path}`)
    if (stream) world.upstream.streams([ofGoogle])
    else world.upstream.answers({ body: ofGoogle })
    const before = (await receiptsOf(world, alice.id)).length
    const first = await alice.calls(path, { ...client.asked, stream })
    expect(first.status, first.text).toBe(200)
    const receipt = await lastReceipt(world, alice.id, before + 1)
    expect([receipt.quota, receipt.other.answer_dropped]).toEqual([recomputed(receipt), undefined])
    expect(world.upstream.last().json.toolConfig).toMatchObject({ includeServerSideToolInvocations: true })

    world.upstream.reset()
    world.upstream.answers({ body: ofGoogle })
    const second = await alice.calls(path, client.next(client.asked, first))
    expect(second.status, second.text).toBe(200)
    const [, turn, result] = world.upstream.last().json.contents
    expect(turn).toEqual({ role: 'model', parts })
    expect(result.parts).toMatchObject([{ functionResponse: { id: 'f1', name: 'weather' } }])
  })
})

type Client = Readonly<{
  asked: Readonly<Record<string, unknown>>
  next: (body: Readonly<Record<string, unknown>>, answer: RelayAnswer) => object
}>

const thought = { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' }
const own = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'news' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', ...page, encrypted_content: 'X' }],
  },
]

/** The blocks of a response as Anthropic streams them, each in one piece. */
const streamOf = (blocks: readonly object[]): readonly object[] => [
  { type: 'message_start', message: { ...ofAnthropic, content: [], stop_reason: null } },
  ...blocks.flatMap((block, index) => [
    { type: 'content_block_start', index, content_block: block },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: ofAnthropic.usage },
  { type: 'message_stop' },
]
