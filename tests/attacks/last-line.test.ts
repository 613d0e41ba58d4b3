import { gzipSync } from 'node:zlib'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Fields, Logger } from '../../gateway/base/log/logger.ts'
import { onTheWire } from '../gateway/relay/delivery/wire.ts'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
const chunk = `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content: 'hi' } }] })}\n\n`
const deepLine = `data: {"error":{"message":"x","deep":${deep}}}`
const responseBegun = `data: ${JSON.stringify({ type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } })}\n\n`
const packed = { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }
const scripts: Readonly<Record<string, (begun: string) => Script>> = {
  'as it is': (begun) => ({ events: [Buffer.from(begun), Buffer.from(deepLine)] }),
  packed: (begun) => ({ headers: packed, body: gzipSync(begun + deepLine) }),
}

const faults: (readonly [message: string, fields: Fields])[] = []
const ignore = () => {}
const log: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: (message, fields = {}) => void faults.push([message, fields]),
}
let world: World
let alice: Person

beforeAll(async () => {
  // The account has one slot and quota for one of its calls: a call that does not release both blocks the next one.
  world = await aWorld({
    log,
    config: { MAX_REQUESTS_PER_USER: '1' },
    options: { ModelRatio: { 'gpt-4o': 1 }, CompletionRatio: { 'gpt-4o': 1 }, RetryTimes: 0, PreConsumedQuota: 0 },
  })
  await world.channel({ models: 'gpt-4o' })
  alice = await world.user({ quota: 10_000 })
})
beforeEach(() => {
  world.upstream.reset()
  faults.length = 0
})
afterEach(() => vi.restoreAllMocks())

const messages = [{ role: 'user', content: 'hi' }]
const callers = [
  ['/v1/chat/completions', chunk, { messages, max_tokens: 6_000 }],
  ['/v1/messages', chunk, { messages, max_tokens: 6_000 }],
  ['/v1/responses', responseBegun, { input: 'hi', max_output_tokens: 6_000 }],
] as const
const ways = callers.flatMap((caller) =>
  [true, false].flatMap((stream) => Object.keys(scripts).map((how) => [...caller, stream, how] as const)),
)

/** Makes a call that reserves over half of the balance and takes the account's only slot. */
async function goesOn() {
  world.upstream.reset()
  const { status, json } = await alice.calls('/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 6_000 })
  expect([status, json.error]).toEqual([200, undefined])
}

describe('the last line of a vendor’s stream, without an end (docs/reference/streams.md#endings)', () => {
  it.each(ways)('ends the call where it is nested too deeply: %s, %#', async (path, begun, body, stream, how) => {
    world.upstream.answers(scripts[how]?.(begun) ?? {})
    const { status, text } = await alice.calls(path, { model: 'gpt-4o', ...body, stream })
    expect([200, 502]).toContain(status)
    expect(text).toContain('error')
    expect(text).not.toContain('[[[')
    expect(faults).toEqual([])
    await goesOn()
  })

  it.each(['as it is', 'packed'])('ends the call where reading it fails here, which is logged: %s', async (how) => {
    const write = JSON.stringify
    vi.spyOn(JSON, 'stringify').mockImplementation((value, ...more) => {
      const text = write(value, ...(more as []))
      if (text?.includes('"FAULT"')) throw new TypeError('a fault')
      return text
    })
    const last = chunk.replace('hi', 'FAULT').trimEnd()
    const events = { events: [Buffer.from(chunk), Buffer.from(last)] }
    world.upstream.answers(how === 'packed' ? { headers: packed, body: gzipSync(chunk + last) } : events)
    const body = { model: 'gpt-4o', messages, max_tokens: 6_000, stream: true }
    const { text } = await alice.calls('/v1/messages', body)
    vi.restoreAllMocks()
    expect(text).toContain('"hi"')
    expect(text).toContain('event: error')
    expect(faults.map(([, { error }]) => error)).toEqual([expect.any(TypeError)])
    await goesOn()
  })

  it.each(Object.keys(scripts))('ends the stream of a stored response that is read again: %s', async (how) => {
    const whole = { id: 'resp_1', object: 'response', status: 'completed', output: [], model: 'gpt-4o' }
    world.upstream.answers({ body: whole })
    await alice.calls('/v1/responses', { model: 'gpt-4o', input: 'hi' })
    world.upstream.reset()
    world.upstream.answers(scripts[how]?.(responseBegun) ?? {})
    const path = '/v1/responses/resp_1?stream=true'
    const { status, text, broke } = await onTheWire(world, path, { method: 'GET', key: await alice.key() })
    expect([status, broke]).toEqual([200, undefined])
    expect(text).toContain('response.created')
    expect(text).toMatch(/"type":"(error|response.failed)"/)
    expect(text).not.toContain('[[[')
    expect(faults).toEqual([])
    await goesOn()
  })
})
