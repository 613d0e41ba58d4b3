import { request as ask } from 'node:http'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { dataOf } from '../../../support/client.ts'
import { callRelay } from '../../../support/relay-client.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld } from '../../../support/world.ts'
import { aCachedFixture, asVendor, type CachedFixture, cacheOf, keptIn, zero } from './cached-fixture.ts'

let fixture: CachedFixture
const asks = (body: unknown, key = fixture.key) => callRelay(`${fixture.world.url}/v1/chat/completions`, body, { key })
const clear = async () => dataOf(await fixture.world.admin.delete('/api/response_cache'))

beforeAll(async () => {
  fixture = await aCachedFixture()
})
beforeEach(async () => {
  asVendor(fixture.world)
  await clear()
})

describe('is stored (docs/reference/cache.md#contents)', () => {
  const chunks = chatStream(['Hel', 'lo'])
  const error = { error: { message: 'overloaded', type: 'server_error' } }
  const never: readonly (readonly [string, boolean, Script])[] = [
    ['a stream that breaks off', true, { events: chunks, cutAfter: 2 }],
    ['a stream that ends without its end', true, { events: chunks.slice(0, 2) }],
    ['a stream that ends with an error', true, { events: [chunks[0] ?? '', error] }],
    ['an error in a good status', false, { body: error }],
    ['a refusal', false, { status: 400, body: error }],
    [
      'an answer that never finished',
      false,
      {
        body: {
          ...chatAnswer('x'),
          choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: null }],
        },
      },
    ],
    ['an answer of more than 512 KiB', false, { body: chatAnswer('x'.repeat(512 * 1024)) }],
    [
      'a stream of more than 512 KiB',
      true,
      { events: chatStream(Array.from({ length: 60 }, () => 'x'.repeat(10_000))) },
    ],
  ]
  it.each(never)('never: %s', async (_, stream, script) => {
    fixture.world.upstream.reset()
    fixture.world.upstream.answers(script)
    await asks(zero('never', { stream }))
    expect(await keptIn(fixture.world)).toBe(0)
    asVendor(fixture.world)
    expect(cacheOf(await asks(zero('never', { stream })))).toBe(stream ? 'miss' : 'stored')
  })

  it('never: an answer cut by the word filter, nor one it would cut now', async () => {
    const answered = { body: chatAnswer('a pineapple') }
    fixture.world.upstream.reset()
    fixture.world.upstream.answers(answered)
    expect(cacheOf(await asks(zero('fruit')))).toBe('stored')
    await fixture.world.option('SensitiveWords', 'pineapple')
    const cut = await asks(zero('fruit'))
    expect([cacheOf(cut), cut.content, await keptIn(fixture.world)]).toEqual(['miss', 'a ', 0])
    await fixture.world.option('SensitiveWords', '')
    expect((await asks(zero('fruit'))).content).toBe('a pineapple')
  })

  it('never: an answer whose caller left before the end', async () => {
    fixture.world.upstream.reset()
    fixture.world.upstream.answers({ events: chatStream(['Hel', 'lo']).slice(0, 1), hang: true })
    const body = JSON.stringify(zero('left', { stream: true }))
    const headers = { authorization: `Bearer ${fixture.key}`, 'content-type': 'application/json' }
    const sent = ask(`${fixture.world.url}/v1/chat/completions`, { method: 'POST', headers })
    sent.end(body)
    await new Promise<void>((resolve) => sent.once('response', (response) => response.once('data', () => resolve())))
    sent.destroy()
    expect(await fixture.world.upstream.last().aborted).toBe(true)
    expect(await keptIn(fixture.world)).toBe(0)
  })

  it('with the list of parameters its conversion left out, sent again', async () => {
    const body = { ...zero('dropped'), model: 'claude-m', max_tokens: 10, seed: 7, logit_bias: { 1: 2 } }
    const [first, second] = [await asks(body), await asks(body)]
    expect([cacheOf(second), first.headers.get('x-switchyard-dropped')]).toEqual([
      'hit',
      expect.stringContaining('seed'),
    ])
    expect(second.headers.get('x-switchyard-dropped')).toBe(first.headers.get('x-switchyard-dropped'))
  })

  it('until the memory is full: the least recently used goes first', async () => {
    await fixture.world.option('ResponseCacheSize', 1)
    fixture.world.upstream.reset()
    fixture.world.upstream.answers({ body: chatAnswer('x'.repeat(300 * 1024)) })
    for (const text of ['one', 'two', 'three']) await asks(zero(text))
    expect(cacheOf(await asks(zero('one')))).toBe('hit')
    await asks(zero('four'))
    const states = []
    for (const text of ['one', 'three', 'four']) states.push(cacheOf(await asks(zero(text))))
    const { answers, bytes } = dataOf(await fixture.world.admin.get('/api/response_cache'))
    expect([states, answers, bytes < 1024 * 1024]).toEqual([['hit', 'hit', 'hit'], 3, true])
    expect(cacheOf(await asks(zero('two')))).toBe('stored')
    await fixture.world.option('ResponseCacheSize', 64)
    expect(await keptIn(fixture.world)).toBe(0)
  })

  it('within the time and size of the options, from their change on', async () => {
    await fixture.world.option('ResponseCacheSeconds', 10)
    await fixture.world.option('ResponseCacheLargestAnswer', 1)
    await asks(zero('bounds'))
    fixture.world.clock.advanceSeconds(9)
    expect(cacheOf(await asks(zero('bounds')))).toBe('hit')
    fixture.world.clock.advanceSeconds(1)
    expect([await keptIn(fixture.world), cacheOf(await asks(zero('bounds')))]).toEqual([0, 'stored'])
    fixture.world.upstream.reset()
    fixture.world.upstream.answers({ body: chatAnswer('x'.repeat(1024)) })
    expect(cacheOf(await asks(zero('large')))).toBe('miss')
    await fixture.world.option('ResponseCacheSeconds', 3600)
    await fixture.world.option('ResponseCacheLargestAnswer', 512)
  })

  it('only by the running process', async () => {
    const { world, alice } = await aCachedFixture()
    const { key } = await world.token(alice, { response_cache: true })
    const post = (url: string) => callRelay(`${url}/v1/chat/completions`, zero('restart'), { key })
    await post(world.url)
    expect([cacheOf(await post(world.url)), await keptIn(world)]).toEqual(['hit', 1])
    const again = await world.restart()
    expect([await keptIn(again), cacheOf(await post(again.url))]).toEqual([0, 'stored'])
  })
})

describe('is cleared (docs/reference/cache.md#clearing)', () => {
  it('by an administrator, which is noted', async () => {
    await asks(zero('cleared'))
    await asks(zero('cleared'))
    expect(dataOf(await fixture.world.admin.get('/api/response_cache'))).toMatchObject({
      answers: 1,
      bytes: expect.any(Number),
    })
    expect(await clear()).toBe(1)
    expect(cacheOf(await asks(zero('cleared')))).toBe('stored')
    await fixture.world.gateway.inner.ledger.flush()
    const row = await fixture.world.gateway.inner.db
      .selectFrom('logs')
      .select(['content', 'other'])
      .where('content', '=', '1 cached responses removed')
      .executeTakeFirstOrThrow()
    expect(JSON.parse(row.other).admin_info.actor.username).toBe('root')
    expect((await fixture.alice.delete('/api/response_cache')).success).toBe(false)
    expect((await fixture.alice.get('/api/response_cache')).success).toBe(false)
  })

  it('by the owner of a token, for that token', async () => {
    const other = await fixture.world.token(fixture.alice, { response_cache: true })
    const bob = await fixture.world.user()
    await asks(zero('own'))
    await asks(zero('own'), other.key)
    expect((await bob.delete(`/api/token/${other.id}/cache`)).success).toBe(false)
    expect(dataOf(await fixture.alice.delete(`/api/token/${other.id}/cache`))).toBe(1)
    expect([cacheOf(await asks(zero('own'))), cacheOf(await asks(zero('own'), other.key))]).toEqual(['hit', 'stored'])
  })

  it.each([
    ['a token is deleted', (id: number) => fixture.alice.delete(`/api/token/${id}`)],
    ['a token is given another key', (id: number) => fixture.alice.post(`/api/token/${id}/key`)],
    ['a token wants it no more', (id: number) => fixture.alice.put('/api/token', { id, response_cache: false })],
    ['its user is deleted', () => fixture.world.admin.delete(`/api/user/${fixture.alice.id}`)],
  ])('when %s', async (_, change) => {
    const own = await aCachedFixture()
    const before = fixture
    fixture = own
    try {
      const stored = async () => {
        await asks(zero('gone'))
        return keptIn(own.world)
      }
      // On PostgreSQL, the change that its user is new arrives a moment later.
      await expect.poll(stored).toBe(1)
      dataOf(await change(own.tokenId))
      expect(await keptIn(own.world)).toBe(0)
    } finally {
      fixture = before
    }
  })

  it('also of answers still in progress', async () => {
    const gate = Promise.withResolvers<void>()
    const here = Promise.withResolvers<void>()
    fixture.world.upstream.reset()
    fixture.world.upstream.answers(async () => {
      here.resolve()
      await gate.promise
      return { body: chatAnswer('late') }
    })
    const late = asks(zero('under way'))
    await here.promise
    await clear()
    gate.resolve()
    // The head of a complete response is sent only when it is known whether the response will be cached.
    expect(cacheOf(await late)).toBe('miss')
    expect(await keptIn(fixture.world)).toBe(0)
  })
})

describe('is still stored', () => {
  it('where another token is changed meanwhile', async () => {
    const bob = await fixture.world.user()
    const other = await fixture.world.token(bob, { response_cache: true })
    const gate = Promise.withResolvers<void>()
    const here = Promise.withResolvers<void>()
    fixture.world.upstream.reset()
    fixture.world.upstream.answers(async () => {
      here.resolve()
      await gate.promise
      return { body: chatAnswer('late') }
    })
    const late = asks(zero('meanwhile'))
    await here.promise
    dataOf(await bob.delete(`/api/token/${other.id}/cache`))
    gate.resolve()
    expect(cacheOf(await late)).toBe('stored')
  })

  it.each([
    ['its own token', async () => dataOf(await fixture.alice.delete(`/api/token/${fixture.tokenId}/cache`))],
    [
      'its own account',
      async () => dataOf(await fixture.world.admin.put('/api/user', { id: fixture.alice.id, remark: 'x' })),
    ],
  ])('not where %s is changed meanwhile', async (_, change) => {
    const gate = Promise.withResolvers<void>()
    const here = Promise.withResolvers<void>()
    fixture.world.upstream.reset()
    fixture.world.upstream.answers(async () => {
      here.resolve()
      await gate.promise
      return { body: chatAnswer('late') }
    })
    const late = asks(zero('meanwhile'))
    await here.promise
    await change()
    gate.resolve()
    expect(cacheOf(await late)).toBe('miss')
    expect(await keptIn(fixture.world)).toBe(0)
  })
})

describe('is off (docs/reference/cache.md#options)', () => {
  it('where it is not turned on', async () => {
    const world = await aWorld({ options: { ModelRatio: { m: 1 } } })
    await world.channel({ models: 'm' })
    const alice = await world.user({ quota: 1_000_000 })
    const { key, response_cache } = await world.token(alice)
    const own = await world.token(alice, { response_cache: true })
    for (const one of [key, own.key, own.key])
      expect(
        cacheOf(
          await callRelay(`${world.url}/v1/chat/completions`, zero('off'), {
            key: one,
            headers: { 'x-switchyard-cache': 'use' },
          }),
        ),
      ).toBeNull()
    expect([response_cache, own.response_cache, world.upstream.requests.length]).toEqual([false, true, 3])
  })
})
