import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatStream } from '../../../support/chat.ts'
import { callRelay } from '../../../support/relay-client.ts'
import { dialectNames } from '../parity/dialects.ts'
import {
  aCachedFixture,
  asVendor,
  type CachedFixture,
  cacheable,
  cacheOf,
  keptIn,
  vendors,
  zero,
} from './cached-fixture.ts'

let fixture: CachedFixture
const asks = (body: unknown, { path = '/v1/chat/completions', key = fixture.key, headers = {} } = {}) =>
  callRelay(fixture.world.url + path, body, { key, headers })
const asked = () => fixture.world.upstream.requests.length

beforeAll(async () => {
  fixture = await aCachedFixture()
})
beforeEach(() => asVendor(fixture.world))

const ways = dialectNames.flatMap((dialect) =>
  Object.keys(vendors).flatMap((vendor) => [false, true].map((stream) => [dialect, vendor, stream] as const)),
)

describe('an answer from the cache (docs/reference/cache.md#contents)', () => {
  it.each(ways)('is the very bytes: %s of %s, streamed %s', async (dialect, vendor, stream) => {
    const { path, body } = cacheable(dialect, `${vendor}-m`, stream, 'bytes')
    const [first, second] = [await asks(body, { path }), await asks(body, { path })]
    expect([first.status, second.status, asked()]).toEqual([200, 200, 1])
    expect(second.text).toBe(first.text)
    expect([cacheOf(first), cacheOf(second), second.headers.get('age')]).toEqual([
      stream ? 'miss' : 'stored',
      'hit',
      '0',
    ])
    for (const name of ['content-type', 'content-length', 'cache-control', 'x-switchyard-dropped'])
      expect(second.headers.get(name), name).toBe(first.headers.get(name))
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  it('is repeated as a stream even if it is longer than one write', async () => {
    const piece = 'ä'.repeat(1000)
    fixture.world.upstream.reset()
    fixture.world.upstream.streams(chatStream(Array.from({ length: 200 }, () => piece)))
    const body = zero('long', { stream: true })
    const [first, second] = [await asks(body), await asks(body)]
    expect([cacheOf(second), second.content.length, second.text === first.text]).toEqual(['hit', 200_000, true])
  })

  it('reports its age, and is requested again when it has expired', async () => {
    const body = zero('old')
    await asks(body)
    fixture.world.clock.advanceSeconds(3599)
    const old = await asks(body)
    expect([cacheOf(old), old.headers.get('age')]).toEqual(['hit', '3599'])
    fixture.world.clock.advanceSeconds(1)
    expect(cacheOf(await asks(body))).toBe('stored')
  })

  it('is the last of two that were requested at once, neither of which waits for the other', async () => {
    const body = zero('twins')
    const gate = Promise.withResolvers<void>()
    let under = 0
    const { upstream } = fixture.world
    upstream.reset()
    upstream.answers(async ({ json }) => {
      under += 1
      const own = under
      if (under === 2) gate.resolve()
      await gate.promise
      return {
        body: {
          ...json,
          choices: [{ index: 0, message: { role: 'assistant', content: `${own}` }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        },
      }
    })
    const both = await Promise.all([asks(body), asks(body)])
    expect([both.map(cacheOf), asked()]).toEqual([['stored', 'stored'], 2])
    expect(both.map(({ content }) => content)).toContain((await asks(body)).content)
    expect(asked()).toBe(2)
  })

  it('is controlled by a header: replaced, bypassed, and for any temperature', async () => {
    const warm = { ...zero('header'), temperature: 1 }
    const cache = (wish: string) => ({ headers: { 'x-switchyard-cache': wish } })
    expect(cacheOf(await asks(warm))).toBeNull()
    const first = await asks(warm, cache('use'))
    expect([cacheOf(first), cacheOf(await asks(warm, cache('use')))]).toEqual(['stored', 'hit'])
    expect(cacheOf(await asks(warm, cache('off')))).toBeNull()
    expect((await asks(warm, cache('use'))).content).toBe(first.content)
    const fresh = await asks(warm, cache('refresh'))
    expect([cacheOf(fresh), fresh.content === first.content]).toEqual(['stored', false])
    expect((await asks(warm, cache('use'))).content).toBe(fresh.content)
    expect(cacheOf(await asks(warm, cache('whatever')))).toBeNull()
  })
})

describe('two requests are equal (docs/reference/cache.md#cache-key)', () => {
  it('only for one token, whoever owns the other', async () => {
    const body = zero('mine')
    const sibling = (await fixture.world.token(fixture.alice, { response_cache: true })).key
    const bob = await fixture.world.user({ quota: 1_000_000 })
    const others = (await fixture.world.token(bob, { response_cache: true })).key
    const unwilling = (await fixture.world.token(fixture.alice)).key
    await asks(body)
    expect(cacheOf(await asks(body, { key: sibling }))).toBe('stored')
    expect(cacheOf(await asks(body, { key: others }))).toBe('stored')
    expect(cacheOf(await asks(body, { key: unwilling }))).toBeNull()
    expect(cacheOf(await asks(body))).toBe('hit')
    expect(asked()).toBe(4)
  })

  it.each([
    ['a blank in the body', { body: `${JSON.stringify(zero('same'))} ` }],
    ['a field', { body: zero('same', { seed: 1 }) }],
    ['the query', { path: '/v1/chat/completions?x=1' }],
    ['a header that goes on to vendors', { headers: { 'openai-beta': 'x' } }],
  ])(
    'not where they differ in %s',
    async (_, { body = zero('same'), ...how }: { body?: unknown; path?: string; headers?: Record<string, string> }) => {
      await asks(zero('same'))
      expect(cacheOf(await asks(zero('same')))).toBe('hit')
      expect(cacheOf(await asks(body, how))).toBe('stored')
    },
  )

  it('only in one dialect', async () => {
    const body = { ...zero('dialect', { max_tokens: 10 }), model: 'claude-m' }
    await asks(body, { path: '/v1/messages' })
    expect(cacheOf(await asks(body))).toBe('stored')
  })
})

describe('a request may be answered from the cache (docs/reference/cache.md#cached-requests)', () => {
  const responses = { path: '/v1/responses', model: 'm', input: 'hi', temperature: 0, store: false }
  const messages = {
    path: '/v1/messages',
    model: 'claude-m',
    max_tokens: 9,
    messages: [{ role: 'user', content: 'hi' }],
    temperature: 0,
  }
  const gemini = {
    path: '/v1beta/models/gemini-m:generateContent',
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    generationConfig: { temperature: 0 },
  }
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }
  const embeddings = { path: '/v1/embeddings', model: 'm', input: 'hi' }
  const used = { 'x-switchyard-cache': 'use' }

  type Case = readonly [
    string,
    Readonly<{ path?: string; headers?: Record<string, string>; [field: string]: unknown }>,
    boolean,
  ]
  const cases: readonly Case[] = [
    ['temperature 0', zero('a'), true],
    ['a function that the client runs', zero('a', { tools: [tool] }), true],
    ['Responses that keeps nothing', responses, true],
    ['Messages', messages, true],
    ['a function of Messages', { ...messages, tools: [{ name: 'f', input_schema: { type: 'object' } }] }, true],
    ['Gemini', gemini, true],
    ['embeddings that ask for it', { ...embeddings, headers: used }, true],
    ['embeddings that do not', embeddings, false],
    ['no temperature', { ...zero('a'), temperature: undefined }, false],
    ['temperature 0.1', zero('a', { temperature: 0.1 }), false],
    ['temperature "0"', { ...gemini, generationConfig: {}, temperature: 0 }, false],
    ['several answers', zero('a', { n: 2 }), false],
    ['several answers, asked for', { ...zero('a', { n: 2 }), headers: used }, false],
    ['a search of the web', zero('a', { web_search_options: {} }), false],
    ['an answer that is stored', zero('a', { store: true }), false],
    ['Responses, which stores unless told not to', { ...responses, store: undefined }, false],
    ['a tool of the vendor, even asked for', { ...responses, tools: [{ type: 'web_search' }], headers: used }, false],
    ['a tool that acts', { ...messages, tools: [{ type: 'bash_20250124', name: 'bash' }] }, false],
    ['a tool of Gemini', { ...gemini, tools: [{ googleSearch: {} }] }, false],
  ]
  it.each(cases)('%s', async (name, { path = '/v1/chat/completions', headers = {}, ...body }, isEligible) => {
    const answer = await asks({ ...body, ...(path.includes('chat') ? { user: name } : {}) }, { path, headers })
    expect(answer.status, answer.text).toBe(200)
    expect(['stored', 'hit'].includes(cacheOf(answer) ?? '')).toBe(isEligible)
  })

  it('only of a listed model, and while it is on', async () => {
    const { world } = fixture
    await world.option('ResponseCacheModels', 'odd\nch*')
    expect(cacheOf(await asks(zero('list')))).toBeNull()
    expect(cacheOf(await asks(zero('list', { model: 'odd' })))).toBe('stored')
    expect(cacheOf(await asks(zero('list', { model: 'chat-m' })))).toBe('stored')
    await world.option('ResponseCacheModels', '*')
    await world.option('ResponseCacheEnabled', false)
    expect([cacheOf(await asks(zero('off'))), await keptIn(world)]).toEqual([null, 0])
    await world.option('ResponseCacheEnabled', true)
  })

  it('not of an administrator who forces a channel', async () => {
    const { key } = await fixture.world.token(fixture.world.admin, { response_cache: true })
    expect((await asks(zero('forced'), { key: `${key}-1` })).status).toBe(200)
    expect(cacheOf(await asks(zero('forced'), { key: `${key}-1` }))).toBeNull()
  })
})
