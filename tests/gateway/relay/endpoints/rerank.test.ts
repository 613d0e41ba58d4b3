import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  const { channel } = world
  await channel({ type: 38, models: 'jina-reranker' })
  await channel({ type: 34, models: 'rerank-v3.5' })
  await channel({ type: 40, models: 'bge-reranker' })
  await channel({ type: 47, models: 'xinference-reranker' })
  await channel({ type: 17, models: 'gte-rerank' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

const documents = ['one', 'two', 'three']
const rank = (model: string, more = {}) => alice.calls('/v1/rerank', { model, query: 'a number', documents, ...more })
const ranked = [
  { index: 2, relevance_score: 0.9 },
  { index: 0, relevance_score: 0.1 },
]

describe('POST /v1/rerank (docs/reference/endpoints.md#relayed-paths, docs/reference/channel-types.md#types)', () => {
  it('passes Jina untouched, charged by its usage', async () => {
    const body = { model: 'jina-reranker', object: 'list', results: ranked, usage: { total_tokens: 40 } }
    world.upstream.answers({ body })
    const { json } = await rank('jina-reranker', { top_n: 2 })
    expect(world.upstream.last()).toMatchObject({ path: '/v1/rerank', json: { documents, top_n: 2 } })
    expect(json).toEqual(body)
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(40)
  })

  it('reserves the query once per document: parallel calls do not overdraw a balance together', async () => {
    const { promise: all, resolve } = Promise.withResolvers<void>()
    setTimeout(resolve, 300)
    world.upstream.answers(async () => {
      await all
      return { body: { object: 'list', results: ranked, usage: { total_tokens: 100_000 } } }
    })
    const quota = 8_000_000
    alice = await world.user({ quota })
    await alice.key()
    const long = { query: 'word '.repeat(400), documents: Array.from({ length: 250 }, () => 'one') }
    const calls = Array.from({ length: 30 }, () => rank('jina-reranker', long))
    const served = (await Promise.all(calls)).filter(({ status }) => status === 200).length
    const cost = (await lastReceipt(world, alice.id)).quota
    expect(served).toBeGreaterThan(0)
    expect((served - 1) * cost).toBeLessThan(quota)
  })

  it('sends Cohere the number of results: all, unless fewer are requested', async () => {
    world.upstream.answers({ body: { id: '1', results: ranked, meta: { billed_units: { search_units: 1 } } } })
    const { json, headers } = await rank('rerank-v3.5', { priority: 1 })
    expect(world.upstream.last()).toMatchObject({
      path: '/v1/rerank',
      json: { model: 'rerank-v3.5', query: 'a number', documents, top_n: 3, return_documents: true },
    })
    const { prompt_tokens } = await lastReceipt(world, alice.id)
    expect(prompt_tokens).toBeGreaterThan(3)
    const usage = { prompt_tokens, total_tokens: prompt_tokens }
    expect(json).toEqual({ id: '1', model: 'rerank-v3.5', results: ranked, usage })
    expect(headers.get('x-switchyard-dropped')).toBe('priority')
  })

  it('reads the usage of SiliconFlow, and returns it where all others do', async () => {
    const meta = { tokens: { input_tokens: 21, output_tokens: 0 } }
    world.upstream.answers({ body: { id: '1', results: ranked, meta } })
    const { json } = await rank('bge-reranker')
    expect(json).toEqual({ id: '1', results: ranked, meta, usage: { prompt_tokens: 21, total_tokens: 21 } })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(21)
  })

  it('returns the documents where they were requested and the vendor left them out', async () => {
    world.upstream.answers({ body: { id: '1', results: ranked, meta: { tokens: null } } })
    const { json } = await rank('xinference-reranker', { return_documents: true })
    expect(json.results).toEqual([
      { ...ranked[0], document: { text: 'three' } },
      { ...ranked[1], document: { text: 'one' } },
    ])
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt.other.usage_source).toBe('estimated')
    expect(json.usage.total_tokens).toBe(receipt.prompt_tokens)
  })

  it('converts for DashScope', async () => {
    world.upstream.answers({ body: { output: { results: ranked }, usage: { total_tokens: 9 }, request_id: 'r' } })
    const { json } = await rank('gte-rerank', { top_n: 2, return_documents: false })
    expect(world.upstream.last()).toMatchObject({
      path: '/api/v1/services/rerank/text-rerank/text-rerank',
      json: {
        model: 'gte-rerank',
        input: { query: 'a number', documents },
        parameters: { top_n: 2, return_documents: false },
      },
    })
    expect(json).toEqual({ id: 'r', model: 'gte-rerank', results: ranked, usage: { total_tokens: 9 } })
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(9)
  })

  it.each([
    [{ query: '' }, 'query', 'invalid_query'],
    [{ documents: [] }, 'documents', 'invalid_documents'],
    [{ documents: 'one' }, 'documents', 'invalid_documents'],
  ])('refuses %o', async (more, param, code) => {
    const { status, json } = await rank('jina-reranker', more)
    expect([status, json.error.param, json.error.code]).toEqual([400, param, code])
    expect(world.upstream.requests).toHaveLength(0)
  })
})
