import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, chat, onTheWire } from '../delivery/wire.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel()
  await world.channel({ models: 'tts-1' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const vendors = {
  'openai-processing-ms': '12',
  'x-ratelimit-remaining-tokens': '99',
  'retry-after': '3',
  'x-request-id': 'theirs',
  'x-oneapi-request-id': 'theirs',
  'set-cookie': 'a=b',
  'access-control-allow-origin': 'https://elsewhere.example',
  'access-control-allow-credentials': 'true',
  'strict-transport-security': 'max-age=1',
  'keep-alive': 'timeout=99',
  server: 'theirs',
}

describe('headers of an upstream answer (docs/reference/channel-types.md#common-rules)', () => {
  it.each([['plain'], ['streamed']])('are passed on, except those of its connection and our own, %s', async (kind) => {
    const stream = kind === 'streamed'
    if (stream) world.upstream.streams(chatStream(['Hello']), { headers: vendors })
    else world.upstream.answers({ headers: vendors, body: chatAnswer('Hello') })
    const { headers, bytes } = await onTheWire(world, CHAT, {
      key: await alice.key(),
      body: chat('gpt-4o', { stream }),
    })
    expect(headers).toMatchObject({
      'openai-processing-ms': '12',
      'x-ratelimit-remaining-tokens': '99',
      'retry-after': '3',
    })
    for (const name of ['set-cookie', 'strict-transport-security', 'access-control-allow-credentials', 'server'])
      expect(headers[name], name).toBeUndefined()
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['x-request-id']).toMatch(/^\d{14}\w+$/)
    expect(headers['x-oneapi-request-id']).toBe(headers['x-request-id'])
    expect(headers['keep-alive']).not.toBe('timeout=99')
    if (stream) expect(headers['content-type']).toMatch(/^text\/event-stream/)
    else expect(headers['content-length']).toBe(String(bytes.length))
  })

  it.each(['', '*/*', 'unknown/unknown/x', 'multipart/x-mixed-replace; boundary=a', 'text/html', 'image/svg+xml'])(
    'make nothing of an answer that a browser would run: %s',
    async (type) => {
      const answer = { body: Buffer.from('<script>alert(document.domain)</script>') }
      world.upstream.answers({ ...answer, headers: { 'content-type': type } })
      const { headers } = await onTheWire(world, '/v1/audio/speech', {
        key: await alice.key(),
        body: JSON.stringify({ model: 'tts-1', input: 'hi', voice: 'alloy' }),
      })
      expect(headers['content-type']).toMatch(/^(application\/octet-stream|text\/plain; charset=utf-8)$/)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    },
  )

  it.each([['plain'], ['streamed']])('are passed on where they are known, and no others, %s', async (kind) => {
    const stream = kind === 'streamed'
    const known = {
      'retry-after-ms': '7',
      'x-should-retry': 'false',
      'request-id': 'req_theirs',
      'openai-version': '2020-10-01',
      'anthropic-ratelimit-requests-remaining': '5',
      'x-ratelimit-limit-requests': '6',
      'ratelimit-policy': 'a;w=1',
      'x-gemini-service-tier': 'flex',
    }
    const unknown = {
      location: 'http://10.0.0.1/',
      via: '1.1 inner.example',
      link: '<http://10.0.0.1/>; rel=next',
      'cf-ray': 'x',
      'x-powered-by': 'x',
      'x-upstream-host': 'inner.example',
      'openai-organization': 'org-of-the-operator',
      'openai-project': 'proj-of-the-operator',
      'anthropic-organization-id': 'org-of-the-operator',
      'anthropic-workspace-id': 'wrkspc-of-the-operator',
      'access-control-expose-headers': '*',
      'content-security-policy': 'x',
      'clear-site-data': '*',
      refresh: '0; url=http://elsewhere.example',
      'x-kept': '1',
    }
    const headers = { ...known, ...unknown }
    if (stream) world.upstream.streams(chatStream(['Hello']), { headers })
    else world.upstream.answers({ headers, body: chatAnswer('Hello') })
    const answer = await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o', { stream }) })
    expect(answer.headers).toMatchObject(known)
    for (const [name, value] of Object.entries(unknown)) expect(answer.headers[name], name).not.toBe(value)
  })

  it('never declare that an answer is something a browser runs', async () => {
    for (const type of ['text/html', 'image/svg+xml', 'application/xhtml+xml; charset=utf-8', 'Text/JavaScript']) {
      world.upstream.answers({ headers: { 'content-type': type }, body: chatAnswer('<script>alert(1)</script>') })
      const { headers, status } = await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o') })
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    }
  })

  it('lose those that the connection header names, and the vendor’s encoding as well', async () => {
    const headers = { connection: 'close, x-ratelimit-hop', 'x-ratelimit-hop': '1', 'x-ratelimit-kept': '1' }
    world.upstream.answers({ headers, body: chatAnswer('Hello') })
    const answer = await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o') })
    expect(answer.headers['x-ratelimit-hop']).toBeUndefined()
    expect(answer.headers['x-ratelimit-kept']).toBe('1')
  })

  it('fit the unpacked body when the vendor compresses without a request', async () => {
    const { gzipSync } = await import('node:zlib')
    const plain = JSON.stringify(chatAnswer('Hello'))
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    world.upstream.answers({ headers, body: gzipSync(plain) })
    const answer = await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o') })
    expect(answer.text).toBe(plain)
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['content-length']).toBe(String(plain.length))
  })

  it('preserve a status between 200 and 299', async () => {
    world.upstream.answers({ status: 201, body: chatAnswer('Hello') })
    expect((await onTheWire(world, CHAT, { key: await alice.key(), body: chat('gpt-4o') })).status).toBe(201)
  })
})
