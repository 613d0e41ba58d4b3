import { randomBytes } from 'node:crypto'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, chat, onTheWire } from '../delivery/wire.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel()
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const post = async (body: string | Buffer, path = CHAT, headers = {}) =>
  onTheWire(world, path, { key: await alice.key(), body, headers })
const nested = (depth: number) => chat('gpt-4o').replace(/}$/, `,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`)

describe('a request body (docs/reference/endpoints.md#request-validation, docs/reference/limits.md#bodies)', () => {
  it.each([
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['JSON cut off', '{"model":"gpt-4o"'],
    ['a bare NaN', chat('gpt-4o').replace(/}$/, ',"temperature":NaN}')],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"gpt-4o"'],
    ['a field given twice', `{"model":"gpt-4o",${chat('gpt-4o').slice(1)}`],
    ['a nested field given twice', `{"x":[{"a":{"b":1},"a":{"c":2}}],${chat('gpt-4o').slice(1)}`],
    ['a field given twice, escaped once', `{"mod\\u0065l":"gpt-4o",${chat('gpt-4o').slice(1)}`],
    ['a nesting deeper than 64', nested(64)],
    ['a nesting of thousands', nested(100_000)],
    ['no model', '{"messages":[{"role":"user","content":"hi"}]}'],
    ['a number for a model', chat('x').replace('"x"', '7')],
    ['no messages', '{"model":"gpt-4o"}'],
    ['empty messages', '{"model":"gpt-4o","messages":[]}'],
    ['a text for messages', '{"model":"gpt-4o","messages":"hi"}'],
    ['negative max_tokens', chat('gpt-4o', { max_tokens: -1 })],
    ['huge max_tokens', chat('gpt-4o', { max_tokens: 1_073_741_824 })],
    ['infinite max_tokens', chat('gpt-4o').replace(/}$/, ',"max_tokens":1e400}')],
    ['fractional max_tokens', chat('gpt-4o', { max_completion_tokens: 1.5 })],
    ['NaN as max_tokens', chat('gpt-4o', { max_tokens: 'NaN' })],
    ['a text for max_tokens', chat('gpt-4o', { max_tokens: '100' })],
    ['negative n', chat('gpt-4o', { n: -1 })],
    ['too many choices', chat('gpt-4o', { n: 129 })],
    ['fractional n', chat('gpt-4o', { n: 1.5 })],
  ])('is refused with 400 where it has %s', async (_, body) => {
    const { status, error, text } = await post(body)
    expect([status, error?.type], text).toEqual([400, 'switchyard_error'])
    expect(error.message).toMatch(/^Invalid request.* \(request id: /)
    expect(world.upstream.requests).toHaveLength(0)
    expect(await alice.quota()).toBe(1_000_000_000)
  })

  it.each([
    ['/v1/completions', '{"model":"gpt-4o"}', 'prompt', 'invalid_text_request'],
    ['/v1/completions', '{"model":"gpt-4o","prompt":""}', 'prompt', 'invalid_text_request'],
    ['/v1/embeddings', '{"model":"gpt-4o","input":[]}', 'input', 'invalid_embedding_request'],
    ['/v1/embeddings', '{"input":"hi"}', 'model', 'invalid_embedding_request'],
  ])('is refused at %s as %s', async (path, body, param, code) => {
    const { status, error } = await post(body, path)
    expect([status, error.param, error.code]).toEqual([400, param, code])
  })

  it.each([
    ['a nesting of 64', nested(63)],
    ['null for numbers', chat('gpt-4o', { n: null, max_tokens: null })],
    ['zero for numbers', chat('gpt-4o', { max_tokens: 0 })],
    ['fields named as prototypes are', chat('gpt-4o').replace(/}$/, ',"__proto__":{"stream":true},"constructor":1}')],
  ])('is taken with %s', async (_, body) => {
    expect((await post(body)).status).toBe(200)
    expect(world.upstream.last().text).toBe(body)
  })

  it('reserves no more than the caller’s balance, for any limit in the request', async () => {
    const max = { max_tokens: 1_073_741_823, n: 128 }
    const quota = await alice.quota()
    expect((await post(chat('gpt-4o', max))).status).toBe(200)
    // A million tokens cost five dollars, of 500,000 units each.
    expect(world.upstream.last().json.max_tokens * 128 * 5).toBeLessThanOrEqual(quota)
    const poor = await world.user({ quota: 100 })
    const told = await poor.asks('gpt-4o', 'hi', { body: max })
    expect([told.status, told.json.error.code]).toEqual([403, 'insufficient_user_quota'])
  })
})

describe('a packed request body (docs/reference/limits.md#bodies)', () => {
  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['zstd', zstdCompressSync],
  ])('is unpacked from %s and sent on plain', async (encoding, pack) => {
    expect((await post(pack(chat('gpt-4o')), CHAT, { 'content-encoding': encoding })).status).toBe(200)
    expect(world.upstream.last().text).toBe(chat('gpt-4o'))
    expect(world.upstream.last().headers['content-encoding']).toBeUndefined()
  })

  it('is refused in an unknown encoding, or where its content does not match it', async () => {
    for (const encoding of ['compress', 'constructor', 'gzip, zstd'])
      expect((await post(chat('gpt-4o'), CHAT, { 'content-encoding': encoding })).status).toBe(415)
    expect((await post(chat('gpt-4o'), CHAT, { 'content-encoding': 'gzip' })).status).toBe(400)
    const cut = gzipSync(chat('gpt-4o', { padding: 'x'.repeat(1000) })).subarray(0, 40)
    expect((await post(cut, CHAT, { 'content-encoding': 'gzip' })).status).toBe(400)
  })

  it.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('is refused with 413 where it is a bomb: %s', async (encoding, pack) => {
    const bomb = pack(chat('gpt-4o', { padding: 'x'.repeat(8_000_000) }))
    expect(bomb.length).toBeLessThan(20_000)
    const { status, error } = await post(bomb, CHAT, { 'content-encoding': encoding })
    expect([status, error.code]).toEqual([413, 'read_request_body_failed'])
  })

  it('is refused where its window would take more memory than any needs', async () => {
    const params = { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 }
    const wide = zstdCompressSync(chat('gpt-4o', { padding: randomBytes(10_000_000).toString('latin1') }), { params })
    expect((await post(wide, CHAT, { 'content-encoding': 'zstd' })).status).toBe(400)
  })

  it('is refused with 413 before it is read where it announces too much', async () => {
    const { status } = await onTheWire(world, CHAT, {
      key: await alice.key(),
      headers: {
        'content-type': 'application/json',
        'content-length': String(200 * 1024 * 1024),
        expect: '100-continue',
      },
    })
    expect(status).toBe(413)
  })
})
