import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { channelTypes } from '../../shared/channel-types.ts'
import { balancesOf, lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const GIVEN = 1_000_000_000
const { openai, anthropic, tencent, jina } = channelTypes
const models = {
  'gpt-4o': openai.id,
  'gpt-image-1': openai.id,
  'gpt-4o-transcribe': openai.id,
  'claude-sonnet-4-5': anthropic.id,
  'hunyuan-turbos': tencent.id,
  'jina-reranker': jina.id,
}
let world: World
let alice: Person

beforeAll(async () => {
  const ModelRatio = Object.fromEntries(Object.keys(models).map((model) => [model, 1]))
  world = await aWorld({ options: { ModelRatio, RetryTimes: 0 } })
  for (const [model, type] of Object.entries(models))
    await world.channel({ models: model, type, ...(type === tencent.id ? { key: '1300000000|the-id|the-key' } : {}) })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
})

const messages = [{ role: 'user', content: 'hi' }]
const chat = (model: string, more: object = {}) => alice.calls('/v1/chat/completions', { model, messages, ...more })
const charged = async () => {
  const { prompt_tokens, completion_tokens, quota } = await lastReceipt(world, alice.id)
  expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: quota })
  return { prompt_tokens, completion_tokens, quota }
}

describe('the cost of an answer, for any figures of its vendor', () => {
  it.each([1e15, 1e9, 1.5, 1e300, -3])('counts the calls of Hunyuan, not their numbers: %d', async (Index) => {
    const call = { Index, Id: 'c', Type: 'function', Function: { Name: 'f', Arguments: '{}' } }
    const Choices = [{ Index: 0, FinishReason: 'tool_calls', Message: { Role: 'assistant', ToolCalls: [call, call] } }]
    world.upstream.answers({ body: { Response: { Id: 'i', RequestId: 'r', Choices } } })
    expect((await chat('hunyuan-turbos')).status).toBe(200)
    expect((await charged()).completion_tokens).toBeLessThan(50)
  })

  it.each([false, true])(
    'puts a choice of Hunyuan at its position where its index is beyond all, streamed: %s',
    async (stream) => {
      const said = { Role: 'assistant', Content: 'Hi' }
      const Choices = [{ Index: 40_000_000, FinishReason: 'stop', [stream ? 'Delta' : 'Message']: said }]
      if (stream) world.upstream.streams([{ Id: 'i', Choices }])
      else world.upstream.answers({ body: { Response: { Id: 'i', RequestId: 'r', Choices } } })
      const { status, content } = await chat('hunyuan-turbos', { stream })
      expect([status, content]).toEqual([200, 'Hi'])
    },
  )

  it('adds up the usage of as many pictures as were requested', async () => {
    const usage = { input_tokens: 10_000_000, output_tokens: 10_000_000, total_tokens: 20_000_000 }
    const event = { type: 'image_generation.completed', b64_json: 'AAAA', usage }
    world.upstream.streams(Array.from({ length: 1000 }, () => event))
    await alice.calls('/v1/images/generations', { model: 'gpt-image-1', prompt: 'a cat', n: 1, stream: true })
    expect(await charged()).toMatchObject({ prompt_tokens: 10_000_000, completion_tokens: 10_000_000 })
  })

  it('takes the last figures of a transcript, however often they come', async () => {
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 }
    const delta = { type: 'transcript.text.delta', delta: 'Hi ', usage }
    world.upstream.streams([
      ...Array.from({ length: 50 }, () => delta),
      { type: 'transcript.text.done', text: 'Hi', usage },
    ])
    const form = new FormData()
    form.set('model', 'gpt-4o-transcribe')
    form.set('stream', 'true')
    form.set('file', new File(['RIFF'], 'a.wav'))
    const headers = { authorization: `Bearer sk-${await alice.key()}` }
    await (await fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })).text()
    expect(await charged()).toMatchObject({ prompt_tokens: 14, completion_tokens: 45 })
  })

  it('believes at most a thousand searches', async () => {
    const searched = { output: [], usage: { input_tokens: 1, output_tokens: 1 }, status: 'completed', id: 'resp_1' }
    world.upstream.answers({ body: { ...searched, tool_usage: { web_search: { num_requests: 10_000_000 } } } })
    await alice.calls('/v1/responses', { model: 'gpt-4o', input: 'hi', tools: [{ type: 'web_search' }] })
    const { quota } = await charged()
    expect(quota).toBeLessThanOrEqual(1000 * 5000 + 10)
  })
})

describe('content of an answer that its caller’s dialect does not support', () => {
  it('is named in a header of a few kilobytes, and so in the log', async () => {
    const content = Array.from({ length: 60_000 }, (_, at) => ({ type: `block_${at}_${'x'.repeat(20)}` }))
    const said = [...content, { type: 'text', text: 'Hi' }]
    const usage = { input_tokens: 1, output_tokens: 1 }
    world.upstream.answers({
      body: { id: 'm', type: 'message', role: 'assistant', content: said, stop_reason: 'end_turn', usage },
    })
    const { status, headers } = await chat('claude-sonnet-4-5')
    expect([status, (headers.get('x-switchyard-dropped') ?? '').length > 100]).toEqual([200, true])
    expect(headers.get('x-switchyard-dropped')?.length).toBeLessThanOrEqual(4096)
    expect(JSON.stringify((await lastReceipt(world, alice.id)).other).length).toBeLessThan(10_000)
  })

  it('is limited likewise where it comes from the caller', async () => {
    world.upstream.answers({
      body: { id: 'm', type: 'message', role: 'assistant', content: [], stop_reason: 'end_turn', usage: {} },
    })
    const more = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`unknown_${at}`, 1]))
    const { headers } = await chat('claude-sonnet-4-5', more)
    expect(headers.get('x-switchyard-dropped')?.length).toBeLessThanOrEqual(4096)
  })
})

it('a document goes out once, however often a ranking names it', async () => {
  world.upstream.answers({
    body: {
      results: Array.from({ length: 5000 }, () => ({ index: 0, relevance_score: 1 })),
      usage: { total_tokens: 5 },
    },
  })
  const documents = ['x'.repeat(10_000)]
  const { json, text } = await alice.calls('/v1/rerank', {
    model: 'jina-reranker',
    query: 'q',
    documents,
    return_documents: true,
  })
  expect(json.results).toHaveLength(5000)
  expect(text.length).toBeLessThan(500_000)
})
