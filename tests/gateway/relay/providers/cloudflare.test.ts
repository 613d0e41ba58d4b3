import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { silence } from '../endpoints/sent-form.ts'
import { lastReceipt, recomputed } from '../metering/receipts.ts'

const CHAT = '@cf/meta/llama-3.1-8b-instruct'
const WHISPER = '@cf/openai/whisper'
const TURBO = '@cf/openai/whisper-large-v3-turbo'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ type: 39, other: 'acc 1', models: [CHAT, WHISPER, TURBO, '@cf/baai/bge'].join(',') })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const heard = { result: { text: 'hello', word_count: 1 }, success: true, errors: [], messages: [] }

async function transcribe(model: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.set('model', model)
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  form.set('file', new Blob([new Uint8Array(silence(61))], { type: 'audio/wav' }), 'talk.wav')
  const response = await fetch(`${world.url}/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${await alice.key()}` },
    body: form,
  })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

describe('Cloudflare Workers AI (docs/reference/channel-types.md#cloudflare-workers-ai)', () => {
  it('is called below the account of the channel', async () => {
    const { content } = await alice.asks(CHAT, 'hi', { stream: true })
    expect(content).toBe('Hello there')
    expect(world.upstream.last()).toMatchObject({
      path: '/client/v4/accounts/acc%201/ai/v1/chat/completions',
      headers: { authorization: 'Bearer upstream-key' },
      json: { model: CHAT, stream_options: { include_usage: true } },
    })
    world.upstream.answers({ body: { object: 'list', data: [], usage: { prompt_tokens: 1, total_tokens: 1 } } })
    await alice.calls('/v1/embeddings', { model: '@cf/baai/bge', input: 'hi' })
    expect(world.upstream.last().path).toBe('/client/v4/accounts/acc%201/ai/v1/embeddings')
  })

  it('reports the error', async () => {
    world.upstream.answers({
      status: 400,
      body: { result: null, success: false, errors: [{ code: 5007, message: 'No such model' }], messages: [] },
    })
    const { status, json } = await alice.asks(CHAT, 'hi')
    expect([status, json.error.message]).toEqual([400, expect.stringContaining('No such model')])
  })

  it('receives the recording itself, billed by its length', async () => {
    world.upstream.answers({ body: heard })
    const { json, headers } = await transcribe(WHISPER, { language: 'en', response_format: 'json' })
    expect(json).toEqual({ text: 'hello' })
    const { path, bytes, headers: sent } = world.upstream.last()
    expect([path, sent['content-type']]).toEqual(['/client/v4/accounts/acc%201/ai/run/@cf/openai/whisper', 'audio/wav'])
    expect(bytes).toEqual(silence(61))
    expect(headers.get('x-switchyard-dropped')).toBe('language')
    const row = await lastReceipt(world, alice.id)
    expect([row.prompt_tokens > 0, row.quota]).toEqual([true, recomputed(row)])
  })

  it('sends JSON to a model that accepts JSON', async () => {
    world.upstream.answers({ body: heard })
    const { json } = await transcribe(TURBO, { language: 'en', prompt: 'a talk' })
    expect(json).toEqual({ text: 'hello' })
    expect(world.upstream.last().json).toEqual({
      audio: silence(61).toString('base64'),
      language: 'en',
      initial_prompt: 'a talk',
    })
  })

  it('refuses a stream of a transcription, without an upstream request', async () => {
    const { status, json } = await transcribe(WHISPER, { stream: 'true' })
    expect([status, json.error.param]).toEqual([400, 'stream'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})
