import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'gpt-4o' })
  await world.channel({ type: 38, models: 'jina-reranker' })
})
beforeEach(async () => {
  world.upstream.reset()
  alice = await world.user({ quota: 100_000_000 })
})

describe('paths by another name (docs/reference/endpoints.md#relayed-paths)', () => {
  it('are OpenAI’s below Google’s name for them', async () => {
    const key = `sk-${await alice.key()}`
    const client = new OpenAI({ apiKey: key, baseURL: `${world.url}/v1beta/openai/`, maxRetries: 0 })
    world.upstream.answers({ body: chatAnswer('Hello') })
    const { choices } = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'Hi' }],
    })
    expect(choices[0]?.message.content).toBe('Hello')
    await expect(client.chat.completions.create({ model: 'none', messages: [] })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_text_request',
    })
  })

  it('are rerank’s of Cohere’s second version', async () => {
    const results = [{ index: 0, relevance_score: 1 }]
    world.upstream.answers({ body: { results, usage: { total_tokens: 4 } } })
    const { json } = await alice.calls('/v2/rerank', { model: 'jina-reranker', query: 'a', documents: ['b'] })
    expect(json).toMatchObject({ results })
  })
})

describe('paths that are not offered (docs/reference/endpoints.md#other-paths)', () => {
  it.each([
    ['POST', '/v1/messages/batches', /Batches .* one at a time/],
    ['POST', '/v1/batches', /Batches/],
    ['POST', '/v1beta/models/gemini-2.5-pro:batchGenerateContent', /Batches/],
    ['POST', '/v1beta/models/gemini-embedding-001:asyncBatchEmbedContent', /Batches/],
    ['GET', '/v1beta/batches/x', /Batches/],
    ['POST', '/v1/files', /does not store files.* in the request itself/],
    ['POST', '/v1beta/openai/files', /does not store files/],
    ['POST', '/upload/v1beta/files', /does not store files/],
    ['POST', '/v1/videos', /Video/],
    ['POST', '/v1beta/models/veo-3.0:predictLongRunning', /Video/],
    ['GET', '/v1/assistants', /not available/],
  ])('report the reason: %s %s', async (method, path, sentence) => {
    const response = await fetch(world.url + path, {
      method,
      headers: { authorization: `Bearer sk-${await alice.key()}` },
    })
    expect(response.status).toBe(501)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(sentence) } })
  })
})
