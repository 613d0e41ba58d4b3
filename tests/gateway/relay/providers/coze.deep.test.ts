import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { namedEvent } from '../../../support/said.ts'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const MODEL = 'coze-bot'
const IDS = { conversation_id: 'conversation-1', chat_id: 'chat-1' }
const USAGE = { token_count: 18, output_count: 7, input_count: 11 }
const chat = (status: string, more: object = {}) => ({ id: 'chat-1', ...IDS, bot_id: '7', status, ...more })
const message = (type: string, content: string, more: object = {}) => ({
  id: 'm',
  ...IDS,
  role: 'assistant',
  type,
  content,
  content_type: 'text',
  ...more,
})

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 1 } })
  await world.channel({ type: 49, key: 'pat_of-the-bot', other: '7352', models: MODEL, priority: 1, auto_ban: 0 })
})
beforeEach(async () => {
  world.upstream.reset()
  // Ends the cooldown of failed channels.
  world.clock.advanceSeconds(3600)
  alice = await world.user({ quota: 100_000_000 })
})

/** A bot that ends with the given result at the first poll. */
const bot =
  (ending: object, messages: readonly object[] = []) =>
  ({ path }: Recorded): Script => {
    if (path === '/v1/files/upload') return { body: { code: 0, data: { id: 'file-9' } } }
    if (path === '/v3/chat') return { body: { code: 0, msg: '', data: chat('in_progress') } }
    if (path.startsWith('/v3/chat/retrieve?')) return { body: { code: 0, data: ending } }
    return { body: { code: 0, data: messages } }
  }
const stream = (...events: readonly (readonly [string, object | string])[]) =>
  events.map(([name, data]) =>
    typeof data === 'string' ? Buffer.from(`event:${name}\ndata:${data}\n\n`) : namedEvent(name, data),
  )
const HELLO = [
  ['conversation.chat.created', chat('created')],
  ['conversation.chat.in_progress', chat('in_progress')],
  ['conversation.message.delta', message('answer', '', { reasoning_content: 'Hm.' })],
  ['conversation.message.delta', message('answer', 'Hello')],
  ['conversation.message.delta', message('answer', ' there')],
  ['conversation.message.completed', message('answer', 'Hello there')],
  ['conversation.message.completed', message('verbose', '{"msg_type":"generate_answer_finish"}')],
  ['conversation.message.completed', message('follow_up', 'And you?')],
  ['conversation.chat.completed', chat('completed', { usage: USAGE })],
  ['done', '"[DONE]"'],
] as const

describe('a bot of Coze (docs/reference/channel-types.md#coze)', () => {
  it('is called, polled until it is done, and read', async () => {
    const messages = [message('verbose', '{}'), message('answer', 'Hello there'), message('follow_up', 'And you?')]
    world.upstream.answers(bot(chat('completed', { usage: USAGE }), messages))
    const answer = await alice.calls('/v1/chat/completions', {
      model: MODEL,
      user: 'alice',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Say hello' },
      ],
      temperature: 0.5,
      custom_variables: { tone: 'warm' },
    })
    expect(answer.content).toBe('Hello there')
    expect(answer.json.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 })
    expect(answer.headers.get('x-switchyard-dropped')).toBe('temperature')
    const [asked, ...after] = world.upstream.requests
    expect(asked?.headers.authorization).toBe('Bearer pat_of-the-bot')
    expect(asked?.json).toEqual({
      bot_id: '7352',
      user_id: `switchyard-${alice.id}-alice`,
      stream: false,
      auto_save_history: true,
      custom_variables: { tone: 'warm' },
      additional_messages: [
        { role: 'user', type: 'question', content: 'Be brief.', content_type: 'text' },
        { role: 'assistant', type: 'answer', content: 'Okay', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Hi', content_type: 'text' },
        { role: 'assistant', type: 'answer', content: 'Yes?', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Say hello', content_type: 'text' },
      ],
    })
    const query = 'conversation_id=conversation-1&chat_id=chat-1'
    expect(after.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `GET /v3/chat/retrieve?${query}`,
      `GET /v3/chat/message/list?${query}`,
    ])
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([11, 7])
    expect(receipt.quota).toBe(recomputed(receipt))
  })

  it('streams its answer, for any split of the bytes', async () => {
    const whole = Buffer.concat(stream(...HELLO))
    const pieces = Array.from({ length: Math.ceil(whole.length / 41) }, (_, at) =>
      whole.subarray(at * 41, at * 41 + 41),
    )
    for (const events of [stream(...HELLO), pieces]) {
      world.upstream.streams(events)
      const answer = await alice.asks(MODEL, 'Hi', { stream: true, body: { stream_options: { include_usage: true } } })
      expect(answer.content).toBe('Hello there')
      expect(answer.text).toContain('"reasoning_content":"Hm."')
      expect(answer.text).not.toContain('And you?')
      expect(answer.events.at(-2).usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 })
    }
    expect(world.upstream.last().json.stream).toBe(true)
  })

  it('is shown pictures by their address, and others once they are uploaded', async () => {
    world.upstream.answers(bot(chat('completed'), [message('answer', 'A cat.')]))
    const content = [
      { type: 'text', text: 'What is "held" here?' },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from('a cat').toString('base64')}` } },
    ]
    const answer = await alice.calls('/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content }] })
    expect(answer.content).toBe('A cat.')
    const [upload, asked] = world.upstream.requests
    expect(upload?.path).toBe('/v1/files/upload')
    expect(upload?.headers).toMatchObject({ authorization: 'Bearer pat_of-the-bot' })
    expect(upload?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(upload?.text).toContain('name="file"; filename="file.png"\r\nContent-Type: image/png\r\n\r\na cat\r\n')
    const [message_] = asked?.json.additional_messages ?? []
    expect(message_.content_type).toBe('object_string')
    expect(JSON.parse(message_.content)).toEqual([
      { type: 'text', text: 'What is "held" here?' },
      { type: 'image', file_url: 'https://example.com/cat.png' },
      { type: 'image', file_id: 'file-9' },
    ])
  })

  it('does not change a text that only looks like a file', async () => {
    world.upstream.streams(stream(...HELLO))
    await alice.asks(MODEL, 'what is "held"?', { stream: true })
    expect(world.upstream.last().json.additional_messages[0].content).toBe('what is "held"?')
  })

  it('refuses tools, which only the bot’s maker can give it', async () => {
    const tools = [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }]
    const answer = await alice.asks(MODEL, 'Hi', { body: { tools } })
    expect(answer.status).toBe(400)
    expect(answer.json.error.code).toBe('convert_request_failed')
    expect(world.upstream.requests).toEqual([])
  })
})

describe('failures of a bot of Coze', () => {
  it.each([
    [4100, 401],
    [4101, 403],
    [4028, 429],
    [4000, 400],
    [999, 502],
  ])('code %i in a good answer is status %i, plain and streamed', async (code, status) => {
    for (const isStream of [false, true]) {
      world.upstream.answers({ body: { code, msg: 'the words of Coze' } })
      const answer = await alice.asks(MODEL, 'Hi', { stream: isStream })
      expect(answer.status).toBe(status)
      if (status !== 429) expect(answer.json.error.message).toContain('the words of Coze')
    }
  })

  it('a chat that fails is reported with its reason', async () => {
    world.upstream.answers(bot(chat('failed', { last_error: { code: 5000, msg: 'the bot broke' } })))
    const answer = await alice.asks(MODEL, 'Hi')
    expect([answer.status, answer.json.error.message]).toEqual([500, expect.stringContaining('the bot broke')])
  })

  it('a bot that requires a tool run is reported as an error', async () => {
    world.upstream.answers(bot(chat('requires_action')))
    expect((await alice.asks(MODEL, 'Hi')).status).toBe(502)
  })

  it('an error at the start of a stream lets another channel be tried, one within it ends it', async () => {
    const id = await world.channel({ models: MODEL })
    const failed = { last_error: { code: 4013, msg: 'too many' } }
    world.upstream.streams([
      Buffer.concat(stream(...HELLO.slice(0, 2), ['conversation.chat.failed', chat('failed', failed)])),
    ])
    world.upstream.streams([{ choices: [{ index: 0, delta: { content: 'From elsewhere' } }] }, '[DONE]'])
    const answer = await alice.asks(MODEL, 'Hi', { stream: true })
    expect(answer.content).toBe('From elsewhere')
    await world.admin.delete(`/api/channel/${id}`)
    world.upstream.streams(stream(...HELLO.slice(0, 5), ['error', { code: 5000, msg: 'it broke' }]))
    const broken = await alice.asks(MODEL, 'Hi', { stream: true })
    expect(broken.content).toBe('Hello there')
    expect(broken.events.at(-1)).toMatchObject({ error: { message: expect.stringContaining('it broke') } })
  })

  it('is polled until it is done when the caller leaves, who pays for it', async () => {
    const leaving = new AbortController()
    world.upstream.answers(bot(chat('in_progress')))
    const gone = alice.asks(MODEL, 'Hi', { signal: leaving.signal }).catch(() => 'gone')
    await expect.poll(() => world.upstream.requests.length).toBeGreaterThan(1)
    leaving.abort()
    expect(await gone).toBe('gone')
    world.upstream.answers(bot(chat('completed', { usage: USAGE }), [message('answer', 'Hello there')]))
    await expect
      .poll(async () => (await lastReceipt(world, alice.id)).other)
      .toMatchObject({ ended: 'client-gone', usage_source: 'upstream' })
  })
})
