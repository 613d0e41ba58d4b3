import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { 'gpt-4.1': 1, 'text-embedding-3-large': 1, 'gemini-2.5-flash': 1 }, RetryTimes: 2 },
  })
  for (const name of ['one', 'two', 'three']) await world.channel({ name, models: 'gpt-4.1,text-embedding-3-large' })
  for (const name of ['four', 'five']) await world.channel({ name, type: 24, models: 'gemini-2.5-flash' })
  alice = await world.user({ quota: 1_000_000_000 })
})
afterEach(() => world.upstream.reset())

const json = { 'content-type': 'application/json' }
const hi = [{ role: 'user', content: 'hi' }]

/** Log probabilities with twenty alternatives per token, which exceed the limit of values in a response. */
const TOKENS = 2500
const scored = { token: ' tok', logprob: -0.01, bytes: [32, 116, 111, 107] }
const content = Array(TOKENS).fill({ ...scored, top_logprobs: Array(20).fill(scored) })
const answer = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4.1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, logprobs: { content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 12, completion_tokens: TOKENS, total_tokens: TOKENS + 12 },
})
const request = { model: 'gpt-4.1', messages: hi, logprobs: true, top_logprobs: 20, max_tokens: 16_000 }
/** At a model ratio of 1 and a completion ratio of 4. */
const COST = 12 + 4 * TOKENS

async function charged(path: string, body: object) {
  const before = await alice.quota()
  const { status, text, json: sent } = await alice.calls(path, body)
  return { status, text, code: sent?.error?.code, cost: before - (await alice.quota()) }
}

describe('a response with more values than are read (docs/reference/limits.md#bodies)', () => {
  it('passes unchanged to a caller of its dialect, once, and is charged as reported', async () => {
    world.upstream.answers({ body: answer, headers: json })
    const { status, text, cost } = await charged('/v1/chat/completions', request)
    expect([status, text === answer, cost]).toEqual([200, true, COST])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('is charged as reported where it had to be read, and does not count as a failure of its channel', async () => {
    await world.admin.put('/api/option', { key: 'SensitiveWords', value: 'unlikely-word' })
    await world.admin.put('/api/option', { key: 'StopOnSensitiveEnabled', value: 'true' })
    for (let round = 0; round < 4; round += 1) {
      world.upstream.reset()
      world.upstream.answers({ body: answer, headers: json })
      const { status, code, cost } = await charged('/v1/chat/completions', request)
      expect([status, code, cost]).toEqual([400, 'response_too_large', COST])
      expect(world.upstream.requests).toHaveLength(1)
    }
    await world.admin.put('/api/option', { key: 'StopOnSensitiveEnabled', value: 'false' })
    world.upstream.reset()
    const short = { choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }] }
    world.upstream.answers({ body: { ...short, usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } } })
    expect((await charged('/v1/chat/completions', { model: 'gpt-4.1', messages: hi })).status).toBe(200)
  })

  it('passes unchanged as a stream whose last events repeat all of it', async () => {
    const part = { type: 'output_text', text: 'x', annotations: [], logprobs: content }
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [part] }
    const usage = { input_tokens: 12, output_tokens: TOKENS, total_tokens: TOKENS + 12 }
    const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
    const events = [
      { type: 'response.output_text.delta', ...at, delta: 'x' },
      { type: 'response.output_text.done', ...at, text: 'x', logprobs: content },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item], usage } },
    ]
    const body = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
    world.upstream.answers({ body, headers: { 'content-type': 'text/event-stream' } })
    const { text, cost } = await charged('/v1/responses', { model: 'gpt-4.1', input: 'hi', stream: true })
    expect([text === body, cost]).toEqual([true, COST])
  })

  it('is charged by its reservation if it exceeds 64 MiB', async () => {
    const vector = `{"object":"embedding","index":0,"embedding":[${'-0.0123456789,'.repeat(3071)}0.1]}`
    const data = Array(1600).fill(vector).join()
    world.upstream.answers({ body: `{"object":"list","data":[${data}],"usage":{"prompt_tokens":3200}}`, headers: json })
    const input = Array(1600).fill('some text')
    const { status, code, cost } = await charged('/v1/embeddings', { model: 'text-embedding-3-large', input })
    expect([status, code]).toEqual([400, 'response_too_large'])
    expect(cost).toBeGreaterThanOrEqual(3200)
    expect(world.upstream.requests).toHaveLength(1)
  })
})

describe('a response of more parts than models write', () => {
  const call = { functionCall: { name: 'f' } }
  const parts = (count: number) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: Array(count).fill(call) } }],
  })
  const event = `data: ${JSON.stringify(parts(300))}\n\n`
  const end = `data: {"candidates":[{"index":0,"content":{"parts":[{"text":"z"}]},"finishReason":"STOP"}]}\n\n`
  const streamOf = (events: number) => ({
    body: event.repeat(events) + end,
    headers: { 'content-type': 'text/event-stream' },
  })

  it.each([
    ['a stream that was not requested', () => streamOf(40)],
    ['one JSON text', () => ({ body: JSON.stringify(parts(12_000)), headers: json })],
  ])('is refused without a charge as %s', async (_, body) => {
    world.upstream.answers(body())
    const { status, code, cost } = await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi' })
    expect([status, code, cost]).toEqual([400, 'response_too_large', 0])
    expect(world.upstream.requests).toHaveLength(1)
  })

  const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 100, totalTokenCount: 112 }
  const reported = { candidates: [{ index: 0, content: {}, finishReason: 'STOP' }], usageMetadata }
  it.each([
    [
      'a stream that was not requested',
      { ...streamOf(40), body: `${event.repeat(40)}data: ${JSON.stringify(reported)}\n\n` },
    ],
    ['one JSON text', { body: JSON.stringify({ ...parts(12_000), usageMetadata }), headers: json }],
  ])('is charged as reported, once, and cools no channel down: %s', async (_, script) => {
    for (let round = 0; round < 4; round += 1) {
      world.upstream.reset()
      world.upstream.answers(script)
      const { status, code, cost } = await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi' })
      expect([status, code, cost > 0]).toEqual([400, 'response_too_large', true])
      const { prompt_tokens, completion_tokens } = await lastReceipt(world, alice.id)
      expect([prompt_tokens, completion_tokens]).toEqual([12, 100])
      expect(world.upstream.requests).toHaveLength(1)
    }
    world.upstream.reset()
    world.upstream.answers(streamOf(1))
    expect((await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi' })).status).toBe(200)
  })

  it('is charged by its reservation as a stream that was not requested and exceeds 64 MiB', async () => {
    const padded = `data: ${JSON.stringify({ candidates: [], padding: 'x'.repeat(1024 * 1024) })}\n\n`
    world.upstream.answers({ body: padded.repeat(65) + end, headers: { 'content-type': 'text/event-stream' } })
    const { status, code, cost } = await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi' })
    expect([status, code, cost > 0]).toEqual([400, 'response_too_large', true])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('ends a requested stream', async () => {
    world.upstream.answers(streamOf(40))
    const { text } = await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi', stream: true })
    expect(text).not.toContain('response.completed')
    expect(text.match(/^event: response.output_item.added/gm)?.length).toBeLessThanOrEqual(10_000)
  })

  it('is sent up to that bound', async () => {
    world.upstream.answers(streamOf(30))
    const { status, text } = await charged('/v1/responses', { model: 'gemini-2.5-flash', input: 'hi' })
    expect([status, text.match(/"function_call"/g)?.length]).toEqual([200, 9000])
  })
})

describe('a long or deep response of any endpoint (docs/reference/billing.md#responses-too-long-to-read)', () => {
  beforeAll(async () => {
    const ratios = { 'gpt-3.5-turbo-instruct': 1, 'whisper-1': 1, 'claude-opus-4': 1 }
    await world.option('ModelRatio', { 'gpt-4.1': 1, 'text-embedding-3-large': 1, 'gemini-2.5-flash': 1, ...ratios })
    await world.option('CompletionRatio', { 'gpt-3.5-turbo-instruct': 1, 'claude-opus-4': 1 })
    for (const name of ['six', 'seven']) {
      await world.channel({ name, models: 'gpt-3.5-turbo-instruct,whisper-1' })
      await world.channel({ name: `${name} too`, type: 14, models: 'claude-opus-4' })
    }
  })

  it('completions with log probabilities pass unchanged, once, and are charged as reported', async () => {
    const top_logprobs = Array.from({ length: 30_000 }, () => ({ a: -1, b: -2, c: -3, d: -4, e: -5 }))
    const logprobs = { tokens: [], token_logprobs: [], top_logprobs, text_offset: [] }
    const body = {
      id: 'c',
      object: 'text_completion',
      choices: [{ index: 0, text: 'x', finish_reason: 'length', logprobs }],
      usage: { prompt_tokens: 4, completion_tokens: 30_000, total_tokens: 30_004 },
    }
    world.upstream.answers({ body })
    const call = { model: 'gpt-3.5-turbo-instruct', prompt: 'x', logprobs: 5, max_tokens: 30_000 }
    expect(await charged('/v1/completions', call)).toMatchObject({ status: 200, cost: 30_004 })
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('transcripts with the times of all words are charged as reported', async () => {
    const words = Array.from({ length: 60_000 }, () => ({ word: 'a', start: 0, end: 1 }))
    const duration = 18_000
    world.upstream.answers({
      body: { task: 'transcribe', duration, text: 'a', words, usage: { type: 'duration', seconds: duration } },
    })
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('response_format', 'verbose_json')
    form.set('file', new Blob([Buffer.alloc(4096)]), 'a.mp3')
    const before = await alice.quota()
    const headers = { authorization: `Bearer sk-${await alice.key()}` }
    const answer = await fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
    expect((await answer.json()).words).toHaveLength(60_000)
    expect(before - (await alice.quota())).toBe((duration / 60) * 1000)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it.each([
    ['/v1/messages', 200],
    ['/v1/chat/completions', 400],
  ])('arguments of a tool that are nested deeply are charged once: %s', async (path, status) => {
    const depth = 600
    const input = `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const usage = '{"input_tokens":9000,"output_tokens":1000}'
    const body = `{"id":"m","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","usage":${usage},"content":[{"type":"tool_use","id":"t","name":"f","input":${input}}]}`
    world.upstream.answers({ body, headers: json })
    const call = { model: 'claude-opus-4', max_tokens: 2000, messages: hi }
    expect(await charged(path, call)).toMatchObject({ status, cost: 10_000 })
    expect(world.upstream.requests).toHaveLength(1)
  })
})
