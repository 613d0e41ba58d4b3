import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Recorded, Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const MODEL = 'dify-app'
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, total_price: '0.0001', currency: 'USD' }
const WRAPPED = '<details style="color:gray;" open> <summary> Thinking... </summary>\nHm.</details>Hello there'
const IDS = { task_id: 't', message_id: 'message-1', conversation_id: 'c' }
const answer = (text: string) => ({ event: 'message', mode: 'chat', ...IDS, answer: text, metadata: { usage: USAGE } })
const piece = (text: string, event = 'message') => ({ event, ...IDS, answer: text })
const end = { event: 'message_end', ...IDS, metadata: { usage: USAGE, retriever_resources: [] } }

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 1 } })
  await world.channel({ type: 37, key: 'app-key-of-dify', models: MODEL, priority: 1, auto_ban: 0 })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

describe('an app of Dify (docs/reference/channel-types.md#dify)', () => {
  it('receives the whole conversation in one text', async () => {
    world.upstream.answers({ body: answer('Hello there') })
    const { json, content, headers } = await alice.calls('/v1/chat/completions', {
      model: MODEL,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Say hello' },
      ],
      top_p: 0.5,
      inputs: { tone: 'warm' },
    })
    expect(content).toBe('Hello there')
    expect(json.usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 })
    expect(headers.get('x-switchyard-dropped')).toBe('top_p')
    const asked = world.upstream.last()
    expect([asked.path, asked.headers.authorization]).toEqual(['/v1/chat-messages', 'Bearer app-key-of-dify'])
    expect(asked.json).toEqual({
      inputs: { tone: 'warm' },
      query: 'SYSTEM: \nBe brief.\nUSER: \nHi\nASSISTANT: \nYes?\nUSER: \nSay hello\n',
      response_mode: 'blocking',
      user: `switchyard-${alice.id}`,
      files: [],
      auto_generate_name: false,
    })
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens]).toEqual([11, 7])
    expect(receipt.quota).toBe(recomputed(receipt))
  })

  it('streams its answer, without the steps of its workflow', async () => {
    world.upstream.streams([
      { event: 'workflow_started', ...IDS, data: { id: 'w' } },
      Buffer.from('event: ping\n\n'),
      { event: 'node_started', ...IDS, data: { title: 'a node' } },
      piece('Hello'),
      piece(' there', 'agent_message'),
      { event: 'agent_thought', ...IDS, thought: 'Hello there' },
      { event: 'message_file', ...IDS, type: 'image', belongs_to: 'assistant', url: 'https://example.com/a.png' },
      { event: 'workflow_finished', ...IDS, data: {} },
      end,
    ])
    const asking = { stream: true, body: { user: 'alice', stream_options: { include_usage: true } } }
    const streamed = await alice.asks(MODEL, 'Hi', asking)
    expect(streamed.content).toBe('Hello there![image](https://example.com/a.png)')
    expect(streamed.events.at(-2).usage).toMatchObject({ prompt_tokens: 11, completion_tokens: 7 })
    expect(streamed.text).not.toContain('a node')
    expect(world.upstream.last().json).toMatchObject({
      response_mode: 'streaming',
      user: `switchyard-${alice.id}-alice`,
    })
    expect((await lastReceipt(world, alice.id)).completion_tokens).toBe(7)
  })

  it('has its thoughts between the tags that clients know, plain and streamed', async () => {
    world.upstream.answers({ body: answer(WRAPPED) })
    expect((await alice.asks(MODEL, 'Hi')).content).toBe('<think>\nHm.</think>Hello there')
    const [opening = '', rest = ''] = WRAPPED.split(/(?<=summary>\n)/)
    const [thought = '', said = ''] = rest.split(/(?<=details>)/)
    world.upstream.streams([piece(opening), piece(thought), piece(said), end])
    expect((await alice.asks(MODEL, 'Hi', { stream: true })).content).toBe('<think>\nHm.</think>Hello there')
    world.upstream.answers({ body: answer('in <details>HTML</details>') })
    expect((await alice.asks(MODEL, 'Hi')).content).toBe('in <details>HTML</details>')
  })

  it('is shown pictures by their address, and others once they are uploaded', async () => {
    world.upstream.answers(
      ({ path }: Recorded): Script =>
        path === '/v1/files/upload' ? { status: 201, body: { id: 'file-9' } } : { body: answer('A cat.') },
    )
    const content = [
      { type: 'text', text: 'What is "held" here?' },
      { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${Buffer.from('a cat').toString('base64')}` } },
    ]
    const shown = await alice.calls('/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content }] })
    expect(shown.content).toBe('A cat.')
    const [upload, asked] = world.upstream.requests
    expect(upload?.headers.authorization).toBe('Bearer app-key-of-dify')
    expect(upload?.text).toContain(`name="user"\r\n\r\nswitchyard-${alice.id}\r\n`)
    expect(upload?.text).toContain('name="file"; filename="file.png"\r\nContent-Type: image/png\r\n\r\na cat\r\n')
    expect(asked?.json.files).toEqual([
      { type: 'image', transfer_method: 'remote_url', url: 'https://example.com/cat.png' },
      { type: 'image', transfer_method: 'local_file', upload_file_id: 'file-9' },
    ])
  })

  it('refuses tools, which only the app’s maker can give it', async () => {
    const tools = [{ type: 'function', function: { name: 'clock', parameters: { type: 'object' } } }]
    const refused = await alice.asks(MODEL, 'Hi', { body: { tools } })
    expect([refused.status, refused.json.error.code]).toEqual([400, 'convert_request_failed'])
    expect(world.upstream.requests).toEqual([])
  })
})

describe('failures of an app of Dify', () => {
  const failed = {
    event: 'error',
    ...IDS,
    status: 400,
    code: 'provider_quota_exceeded',
    message: 'the quota is used up',
  }

  it('are reported with the vendor’s status', async () => {
    for (const isStream of [false, true]) {
      world.upstream.answers({ status: 404, body: { code: 'not_found', message: 'no such app', status: 404 } })
      expect((await alice.asks(MODEL, 'Hi', { stream: isStream })).status).toBe(404)
    }
    world.upstream.streams([failed])
    const refused = await alice.asks(MODEL, 'Hi', { stream: true })
    expect(refused.status).toBe(400)
    expect(refused.json.error).toMatchObject({
      message: expect.stringContaining('the quota is used up'),
      code: 'provider_quota_exceeded',
    })
  })

  it('at the start of a stream lets another channel be tried, within it ends it', async () => {
    world.upstream.streams([piece('Hello'), { ...failed, status: 500 }])
    const broken = await alice.asks(MODEL, 'Hi', { stream: true })
    expect(broken.content).toBe('Hello')
    expect(broken.events.at(-1)).toMatchObject({ error: { message: expect.stringContaining('the quota is used up') } })
    world.clock.advanceSeconds(3600)
    await world.channel({ models: MODEL })
    world.upstream.streams([{ ...failed, status: 500 }])
    world.upstream.streams([{ choices: [{ index: 0, delta: { content: 'From elsewhere' } }] }, '[DONE]'])
    expect((await alice.asks(MODEL, 'Hi', { stream: true })).content).toBe('From elsewhere')
  })
})
