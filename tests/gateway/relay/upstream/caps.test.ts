import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { errorEvent, onTheWire, type WireAsk } from '../delivery/wire.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'

const GIVEN = 1_000_000_000
const MIB = 1024 * 1024
let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-4o': 1, 'by-gemini': 1 } } })
  await world.channel()
  await world.channel({ models: 'by-gemini', type: 24 })
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => world.upstream.reset())

/** Each request on its own connection, because an idle one may close before the event loop reaches the next request. */
const ask = (stream: boolean) => alice.asks('gpt-4o', 'hi', { stream, headers: { connection: 'close' } })
const HELLO = JSON.stringify(chatAnswer('Hello'))
const STREAM = chatStream(['Hello', ' there'])
  .map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  .join('')
const packers = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['zstd', zstdCompressSync],
] as const
const packed = (encoding: string, type = 'application/json') => ({ 'content-encoding': encoding, 'content-type': type })

describe('an answer that comes packed unasked (docs/reference/limits.md#bodies)', () => {
  it.each(packers)('in %s is read and passed on plain, whole, as a stream and as an error', async (encoding, pack) => {
    const stream = { headers: packed(encoding, 'text/event-stream') }
    const refusal = { error: { message: 'that will not do', type: 'invalid_request_error' } }
    world.upstream.answers(
      { headers: packed(encoding), body: pack(HELLO) },
      { ...stream, events: [pack(STREAM)] },
      { status: 400, headers: packed(encoding), body: pack(JSON.stringify(refusal)) },
    )
    const whole = await ask(false)
    expect([whole.text, whole.headers.get('content-encoding')]).toEqual([HELLO, null])
    const { content, headers, text } = await ask(true)
    expect([content, headers.get('content-encoding')]).toEqual(['Hello there', null])
    expect(text).toContain('[DONE]')
    expect((await lastReceipt(world, alice.id)).other.ended).toBe('complete')
    expect((await ask(false)).json.error.message).toContain('that will not do')
  })

  it.each(['gzip, gzip', 'zstd, gzip', 'compress'])('in %s is refused', async (encoding) => {
    world.upstream.answers(
      { headers: packed(encoding), body: gzipSync(gzipSync(HELLO)) },
      { headers: packed(encoding, 'text/event-stream'), events: [gzipSync(gzipSync(STREAM))] },
    )
    for (const stream of [false, true]) expect((await ask(stream)).status).toBe(502)
  })

  it('and broken is refused, or reported within its stream', async () => {
    const cut = (text: string) => gzipSync(text).subarray(0, -12)
    world.upstream.answers(
      { headers: packed('gzip'), body: cut(HELLO) },
      { headers: packed('gzip', 'text/event-stream'), events: [cut(STREAM.repeat(50).replaceAll('[DONE]', '{}'))] },
    )
    expect((await ask(false)).status).toBe(502)
    expect(errorEvent((await ask(true)).text).code).toBe('stream_response_error')
  })
})

describe('a long line', () => {
  /** As much data as an image of 4000 × 4000 pixels has. */
  it.each(['gpt-4o', 'by-gemini'])('that contains a picture passes, from %s', async (model) => {
    const data = Buffer.alloc(20 * MIB, 'A').toString('latin1')
    const parts = [{ inlineData: { mimeType: 'image/png', data } }]
    const picture =
      model === 'gpt-4o'
        ? { choices: [{ index: 0, delta: { images: [{ image_url: { url: `data:image/png;base64,${data}` } }] } }] }
        : { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }] }
    world.upstream.streams([picture, ...(model === 'gpt-4o' ? chatStream(['done']) : [])])
    const { text } = await alice.asks(model, 'draw', { stream: true })
    expect(text).toContain(data)
    expect((await lastReceipt(world, alice.id)).other.ended).toBe('complete')
  })
})

describe('a request that is too large (docs/reference/limits.md#bodies)', () => {
  const told: Record<DialectName, object> = {
    openai: { error: { code: 'read_request_body_failed' } },
    responses: { error: { code: 'read_request_body_failed' } },
    anthropic: { type: 'error', error: { type: 'request_too_large' } },
    gemini: { error: { code: 413, status: 'INVALID_ARGUMENT' } },
  }
  it.each(dialectNames)('as it is sent, or unpacked, is reported as 413 in %s', async (dialect) => {
    const path = dialects[dialect].path('gpt-4o', false)
    const key = await alice.key()
    const long = JSON.stringify({ ...dialects[dialect].body('gpt-4o', false), padding: 'x'.repeat(8 * MIB) })
    const bodies: WireAsk[] = [
      { body: '{', headers: { 'content-length': String(200 * MIB) } },
      { body: gzipSync(long), headers: { 'content-encoding': 'gzip' } },
    ]
    for (const body of bodies) {
      const { status, text } = await onTheWire(world, path, { key, ...body })
      expect(status).toBe(413)
      expect(JSON.parse(text)).toMatchObject(told[dialect])
    }
    expect(world.upstream.requests).toHaveLength(0)
  })
})

it('leaves the ledger right', async () => {
  expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
})
