import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt, recomputed } from '../metering/receipts.ts'

const VECTOR = [0.5, -0.25, 1.5]
const PACKED = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64')
const listOf = (...vectors: unknown[]) => ({
  object: 'list',
  data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'as-the-vendor-calls-it',
  usage: { prompt_tokens: 8, total_tokens: 8 },
})
const GIVEN = 100_000_000

let world: World
let alice: Person
let client: OpenAI

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const { channel } = world
  await channel({ models: 'text-embedding-3-small,mapped', model_mapping: '{"mapped":"text-embedding-3-large"}' })
  await channel({ type: 4, models: 'nomic-embed-text', param_override: '{"keep_alive":"5m"}' })
  await channel({ type: 34, models: 'embed-v4.0' })
  await channel({
    type: 24,
    models: 'gemini-embedding-001,gemini-embedding-2,g-mapped',
    model_mapping: '{"g-mapped":"text-embedding-004"}',
  })
  await channel({ type: 38, models: 'jina-embeddings-v3' })
  await channel({ type: 42, models: 'mistral-embed' })
  await channel({ type: 44, models: 'm3e-base' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: GIVEN })
  client = new OpenAI({ apiKey: `sk-${await alice.key()}`, baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
})

const embed = (model: string, input: string | string[] = 'hello', more = {}) =>
  client.embeddings.create({ model, input, ...more })
const asked = () => {
  const { path, json } = world.upstream.last()
  return { path, json }
}

describe('POST /v1/embeddings (docs/reference/endpoints.md#relayed-paths)', () => {
  it('passes floats unchanged, and charges the prompt', async () => {
    world.upstream.answers({ body: listOf(VECTOR) })
    const answer = await embed('text-embedding-3-small', 'hello', { encoding_format: 'float' })
    expect(answer).toMatchObject(listOf(VECTOR))
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.completion_tokens, receipt.quota]).toEqual([8, 0, 1])
    expect(recomputed(receipt)).toBe(1)
  })

  it('passes base64, which the client requests by default', async () => {
    world.upstream.answers({ body: listOf(PACKED) })
    const answer = await embed('text-embedding-3-small')
    expect(asked().json.encoding_format).toBe('base64')
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual(VECTOR)
  })

  it('packs them even if the vendor sends floats', async () => {
    world.upstream.answers({ body: { ...listOf(VECTOR), more: 1 } })
    const { json } = await alice.calls('/v1/embeddings', {
      model: 'text-embedding-3-small',
      input: 'hi',
      encoding_format: 'base64',
    })
    expect(json).toEqual({ ...listOf(PACKED), more: 1 })
  })

  it('takes the model from the path of an engine, and maps it', async () => {
    world.upstream.answers({ body: listOf(VECTOR) })
    const { status } = await alice.calls('/v1/engines/mapped/embeddings', { input: [[1, 2, 3]] })
    expect(status).toBe(200)
    expect(asked()).toEqual({ path: '/v1/embeddings', json: { input: [[1, 2, 3]], model: 'text-embedding-3-large' } })
  })

  it('counts the prompt where the vendor is silent', async () => {
    world.upstream.answers({ body: { ...listOf(VECTOR), usage: undefined } })
    await embed('text-embedding-3-small', ['Hello there, how are you?', 'fine'])
    const receipt = await lastReceipt(world, alice.id)
    expect([receipt.prompt_tokens, receipt.other.usage_source]).toEqual([8, 'counted'])
  })

  it('charges nothing for an error', async () => {
    world.upstream.answers({ status: 400, body: { error: { message: 'too long', type: 'invalid_request_error' } } })
    await expect(embed('text-embedding-3-small')).rejects.toThrow('too long')
    expect(await balancesOf(world, alice.id, GIVEN)).toMatchObject({ balanced: true, spent: 0 })
  })
})

describe('embeddings of vendors with a separate format (docs/reference/channel-types.md#types)', () => {
  it('requests one vector for each input from Ollama, and packs them', async () => {
    world.upstream.answers({ body: { model: 'x', embeddings: [VECTOR, [1, 2, 3]], prompt_eval_count: 12 } })
    const answer = await embed('nomic-embed-text', ['one', 'two'], { dimensions: 3, user: 'me' })
    expect(asked()).toEqual({
      path: '/api/embed',
      json: { model: 'nomic-embed-text', input: ['one', 'two'], dimensions: 3, keep_alive: '5m' },
    })
    expect(answer.data.map(({ embedding }) => Array.from(embedding))).toEqual([VECTOR, [1, 2, 3]])
    expect(answer.usage).toEqual({ prompt_tokens: 12, total_tokens: 12 })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(12)
  })

  it('reports parameters that the vendor does not support', async () => {
    world.upstream.answers({ body: { embeddings: [VECTOR] } })
    const { headers, json } = await alice.calls('/v1/embeddings', {
      model: 'nomic-embed-text',
      input: 'hi',
      user: 'me',
      more: 1,
    })
    expect(headers.get('x-switchyard-dropped')).toBe('user, more')
    expect(json.data).toEqual([{ object: 'embedding', index: 0, embedding: VECTOR }])
    const { prompt_tokens } = await lastReceipt(world, alice.id)
    expect(json.usage).toEqual({ prompt_tokens, total_tokens: prompt_tokens })
    expect(prompt_tokens).toBeGreaterThan(0)
  })

  it('refuses tokens where a vendor accepts only text', async () => {
    const { status, json } = await alice.calls('/v1/embeddings', { model: 'nomic-embed-text', input: [1, 2, 3] })
    expect([status, json.error.code, json.error.param]).toEqual([400, 'convert_request_failed', 'input'])
    expect(world.upstream.requests).toHaveLength(0)
  })

  it('converts for Cohere', async () => {
    const meta = { billed_units: { input_tokens: 3 } }
    world.upstream.answers({ body: { id: '1', embeddings: { float: [VECTOR] }, texts: ['hello'], meta } })
    const answer = await embed('embed-v4.0', 'hello', { encoding_format: 'float', dimensions: 256 })
    expect(asked()).toEqual({
      path: '/v2/embed',
      json: {
        model: 'embed-v4.0',
        texts: ['hello'],
        input_type: 'search_document',
        embedding_types: ['float'],
        output_dimension: 256,
      },
    })
    expect(answer).toEqual({ ...listOf(VECTOR), model: 'embed-v4.0', usage: { prompt_tokens: 3, total_tokens: 3 } })
  })

  it('requests a batch from Gemini', async () => {
    world.upstream.answers({ body: { embeddings: [{ values: VECTOR }, { values: [1, 2, 3] }] } })
    const answer = await embed('gemini-embedding-001', ['one', 'two'], { dimensions: 3 })
    const requestOf = (text: string) => ({
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text }] },
      outputDimensionality: 3,
    })
    expect(asked()).toEqual({
      path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
      json: { requests: [requestOf('one'), requestOf('two')] },
    })
    expect(answer.data.map(({ embedding }) => Array.from(embedding))).toEqual([VECTOR, [1, 2, 3]])
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(answer.usage.prompt_tokens)
  })

  it.each([
    ['jina-embeddings-v3', '/v1/embeddings', { dimensions: 3 }],
    ['mistral-embed', '/v1/embeddings', { output_dimension: 3 }],
  ])('gives %s no name it does not know', async (model, path, told) => {
    world.upstream.answers({ body: listOf(VECTOR) })
    const answer = await embed(model, 'hello', { dimensions: 3 })
    expect(asked()).toEqual({ path, json: { model, input: 'hello', ...told } })
    expect(Array.from(answer.data[0]?.embedding ?? [])).toEqual(VECTOR)
  })

  it('uses MokaAI’s separate path', async () => {
    world.upstream.answers({ body: listOf(VECTOR) })
    await embed('m3e-base')
    expect(asked().path).toBe('/embeddings')
  })
})

describe('Gemini embedContent and batchEmbedContents (docs/reference/endpoints.md#relayed-paths, docs/reference/channel-types.md#types)', () => {
  const one = { content: { parts: [{ text: 'hello' }] }, taskType: 'RETRIEVAL_QUERY', outputDimensionality: 3 }

  it('passes untouched to Gemini', async () => {
    const body = JSON.stringify(one, null, 1)
    world.upstream.answers({ body: { embedding: { values: VECTOR }, usageMetadata: { promptTokenCount: 5 } } })
    const { text } = await alice.calls('/v1beta/models/gemini-embedding-001:embedContent', body)
    expect(world.upstream.last().text).toBe(body)
    expect(world.upstream.last().path).toBe('/v1beta/models/gemini-embedding-001:embedContent')
    expect(JSON.parse(text)).toEqual({ embedding: { values: VECTOR }, usageMetadata: { promptTokenCount: 5 } })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(5)
  })

  it('charges recordings, videos and images of Gemini by their kind', async () => {
    const promptTokensDetails = [
      { modality: 'TEXT', tokenCount: 10 },
      { modality: 'AUDIO', tokenCount: 20 },
      { modality: 'VIDEO', tokenCount: 30 },
      { modality: 'IMAGE', tokenCount: 40 },
    ]
    const usageMetadata = { promptTokenCount: 100, promptTokensDetails }
    world.upstream.answers({ body: { embedding: { values: VECTOR }, usageMetadata } })
    const inlineData = { mimeType: 'audio/wav', data: 'AAAA' }
    await alice.calls('/v1beta/models/gemini-embedding-2:embedContent', { content: { parts: [{ inlineData }] } })
    const row = await lastReceipt(world, alice.id)
    expect([row.prompt_tokens, row.other.audio_input]).toEqual([100, 50])
    expect(row.quota).toBe(Math.round(0.1 * (10 + 50 * 32.5 + 40 * 2.25)))
  })

  it.each(['gemini-embedding-001', 'text-embedding-3-small'])('answers the official client for %s', async (model) => {
    const values = [VECTOR, [1, 2, 3]]
    const isGemini = model.startsWith('gemini')
    world.upstream.answers({
      body: isGemini ? { embeddings: values.map((one) => ({ values: one })) } : listOf(...values),
    })
    const google = new GoogleGenAI({ apiKey: `sk-${await alice.key()}`, httpOptions: { baseUrl: world.url } })
    const answer = await google.models.embedContent({ model, contents: ['one', 'two'] })
    expect(answer.embeddings?.map((one) => one.values)).toEqual(values)
  })

  it('uses the mapped name of the model everywhere in the body', async () => {
    world.upstream.answers({ body: { embeddings: [{ values: VECTOR }] } })
    const requests = [{ ...one, model: 'models/g-mapped' }]
    await alice.calls('/v1beta/models/g-mapped:batchEmbedContents', { requests })
    expect(asked()).toEqual({
      path: '/v1beta/models/text-embedding-004:batchEmbedContents',
      json: { requests: [{ ...one, model: 'models/text-embedding-004' }] },
    })
  })

  it('is converted for other vendors', async () => {
    world.upstream.answers({ body: listOf(PACKED, VECTOR) })
    const requests = [one, { ...one, content: { parts: [{ text: 'a' }, { text: 'b' }] } }]
    const answer = await alice.calls('/v1beta/models/text-embedding-3-small:batchEmbedContents', { requests })
    const { json } = asked()
    expect(json).toEqual({
      model: 'text-embedding-3-small',
      input: ['hello', 'a\nb'],
      dimensions: 3,
      encoding_format: 'float',
    })
    expect(answer.json).toEqual({ embeddings: [{ values: VECTOR }, { values: VECTOR }] })
    expect(answer.headers.get('x-switchyard-dropped')).toBe('requests.taskType')
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(8)
  })

  it('goes through the shape of a third vendor', async () => {
    world.upstream.answers({ body: { embeddings: [VECTOR], prompt_eval_count: 4 } })
    const { json } = await alice.calls('/v1beta/models/nomic-embed-text:embedContent', one)
    expect(asked()).toMatchObject({ path: '/api/embed', json: { input: ['hello'], dimensions: 3 } })
    expect(json).toEqual({ embedding: { values: VECTOR } })
  })

  it('refuses a body that is not a list of requests', async () => {
    const { status, json } = await alice.calls('/v1beta/models/gemini-embedding-001:batchEmbedContents', {
      requests: 'hello',
    })
    expect([status, json.error.status]).toEqual([400, 'INVALID_ARGUMENT'])
    expect(world.upstream.requests).toHaveLength(0)
  })
})

describe('files to embed (docs/reference/tokens.md#prompts)', () => {
  const part = (mimeType: string) => ({ inlineData: { mimeType, data: 'iVBORw0KGgo=' } })
  const values = { embedding: { values: VECTOR } }
  const path = '/v1beta/models/gemini-embedding-001:embedContent'

  it.each([
    ['an image', [part('image/png')], 520],
    ['a text and an image in one part', [{ text: 'a', ...part('image/png') }], 523],
    ['a document and a video', [part('application/pdf'), part('video/mp4')], 10_000],
  ])('counts %s where the vendor reports no usage', async (_, parts, tokens) => {
    world.upstream.answers({ body: values })
    await alice.calls(path, { content: { parts } })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(tokens)
  })

  it('counts those of a batch, and those of other vendors', async () => {
    const requests = [1, 2].map(() => ({ content: { parts: [part('image/png')] } }))
    world.upstream.answers({ body: { embeddings: [{ values: VECTOR }, { values: VECTOR }] } })
    await alice.calls('/v1beta/models/gemini-embedding-001:batchEmbedContents', { requests })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(1040)
    world.upstream.answers({ body: { ...listOf(VECTOR), usage: undefined } })
    await alice.calls('/v1/embeddings', { model: 'jina-embeddings-v3', input: [{ image: 'https://a.example/b.png' }] })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(520)
  })

  it('reserves the longest input for a file: parallel calls do not overdraw a balance together', async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 300)
    world.upstream.answers(async () => {
      await all
      return { body: { ...values, usageMetadata: { promptTokenCount: 30_000 } } }
    })
    const quota = 10_000
    const mallory = await world.user({ quota })
    await mallory.key()
    const calls = Array.from({ length: 30 }, () => mallory.calls(path, { content: { parts: [part('image/png')] } }))
    const served = (await Promise.all(calls)).filter(({ status }) => status === 200).length
    const cost = (await lastReceipt(world, mallory.id)).quota
    expect(served).toBeGreaterThan(0)
    expect((served - 1) * cost).toBeLessThan(quota)
  })
})
