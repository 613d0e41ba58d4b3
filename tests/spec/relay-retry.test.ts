import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CHAT, chat, onTheWire } from '../gateway/relay/delivery/wire.ts'
import { lastReceipt, receiptsOf } from '../gateway/relay/metering/receipts.ts'
import { chatAnswer } from '../support/chat.ts'
import type { Script } from '../support/upstream.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person
const ids: number[] = []
const good: Script = { body: chatAnswer('Hello') }
const failing = (status: number): Script => ({
  status,
  body: { error: { message: `failed ${status}`, type: 'x', code: 'y' } },
})

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 2 } })
  for (const priority of [4, 3, 2, 1]) {
    const models = 'gpt-4o,mapped-status'
    ids.push(
      await world.channel({
        models,
        priority,
        key: `key-of-${priority}`,
        status_code_mapping: '{"400":"500","503":400}',
      }),
    )
  }
  for (const priority of [4, 3, 2, 1])
    ids.push(await world.channel({ models: 'plain', priority, key: `key-of-${priority}` }))
  alice = await world.user({ quota: 1_000_000_000 })
  const { ledger } = world.gateway.inner
  await ledger.move({ kind: 'grant', userId: world.admin.id, amount: 1_000_000_000, refType: 'test', refId: 'root' })
})
beforeEach(() => {
  world.upstream.reset()
  // Ends the cooldown of failed channels.
  world.clock.advanceSeconds(3600)
})

const ask = async (model = 'plain', more: object = {}) =>
  onTheWire(world, CHAT, { key: await alice.key(), body: chat(model, more) })
const asked = () =>
  world.upstream.requests.map(({ headers }) => String(headers.authorization).replace('Bearer key-of-', ''))

describe('the retry loop (docs/reference/selection.md#retries)', () => {
  it.each([
    [429, true],
    [307, true],
    [500, true],
    [502, true],
    [503, true],
    [529, true],
    [504, false],
    [524, false],
    [400, false],
    [408, false],
    [401, true],
    [402, true],
    [403, true],
    [404, true],
    [409, true],
    [422, true],
  ])('after status %i tries another channel: %s', async (status, retried) => {
    world.upstream.answers(failing(status), good)
    const answer = await ask()
    expect(asked()).toEqual(retried ? ['4', '3'] : ['4'])
    expect(answer.status).toBe(retried ? 200 : status)
  })

  it('tries no channel twice, at most 1 + RetryTimes, best priority first, and ends with the last answer', async () => {
    world.upstream.answers(failing(500), failing(502), failing(503))
    const answer = await ask()
    expect(asked()).toEqual(['4', '3', '2'])
    expect([answer.status, answer.error.message]).toEqual([503, expect.stringContaining('failed 503')])
    await world.option('RetryTimes', 10)
    world.upstream.reset()
    world.upstream.answers(failing(500))
    await ask()
    expect(asked()).toEqual(['4', '3', '2', '1'])
    await world.option('RetryTimes', 0)
    world.upstream.reset()
    world.upstream.answers(failing(500))
    await ask()
    expect(asked()).toEqual(['4'])
    await world.option('RetryTimes', 2)
  })

  it('retries 400 only on type 14', async () => {
    const { isRetryable, UpstreamError } = await import('../../gateway/relay/upstream/upstream-error.ts')
    expect(isRetryable(new UpstreamError(400, ''), 14)).toBe(true)
    expect(isRetryable(new UpstreamError(400, ''), 1)).toBe(false)
  })

  it('does not try again for a forced channel', async () => {
    const { key } = await world.token(world.admin)
    world.upstream.answers(failing(500))
    const answer = await onTheWire(world, CHAT, { key: `${key}-${ids[5]}`, body: chat('plain') })
    expect([answer.status, asked()]).toEqual([500, ['3']])
  })

  it('maps statuses before it decides and before it answers (docs/reference/selection.md#status-code-mapping)', async () => {
    world.upstream.answers(failing(400), good)
    expect((await ask('mapped-status')).status).toBe(200)
    expect(asked()).toEqual(['4', '3'])
    world.upstream.reset()
    world.upstream.answers(failing(503), good)
    const answer = await ask('mapped-status')
    expect([answer.status, asked()]).toEqual([400, ['4']])
  })

  it.each<[string, Script]>([
    ['an error object in a good status', { body: { error: { message: 'no', type: 'bad' } } }],
    ['an error that is a plain text', { body: { error: 'out of capacity' } }],
    ['an error as the first event', { events: [{ error: { message: 'no', type: 'bad' } }] }],
    [
      'a named error as the first event',
      { events: [Buffer.from('event: error\ndata: {"error":{"message":"no"}}\n\n')] },
    ],
    ['a first error that is cut', { events: [Buffer.from('data: {"error":{"mess'), 'age'], gapMs: 50 }],
    ['nothing', { body: '' }],
    ['an empty stream', { events: [] }],
    ['garbage', { body: 'hello' }],
    ['a page', { body: '<html>hello</html>', headers: { 'content-type': 'text/html' } }],
    ['a page as a stream is asked for', { body: '<html></html>', headers: { 'content-type': 'text/html' } }],
    ['half an answer', { body: '{"choices":[', headers: { 'content-length': '100', connection: 'close' } }],
    ['a stream that breaks before its first byte', { events: [], cutAfter: 0 }],
    ['an encoding nobody asked for', { body: 'x', headers: { 'content-encoding': 'br' } }],
  ])('tries another channel after %s, and charges once', async (_, script) => {
    world.upstream.answers(script, good)
    const before = await alice.quota()
    const answer = await ask('plain', script.events ? { stream: true } : {})
    expect([answer.status, asked()]).toEqual([200, ['4', '3']])
    const { quota } = await lastReceipt(world, alice.id)
    expect(before - (await alice.quota())).toBe(quota)
  })

  it.each<[string, Script, number]>([
    ['a good status with an error', { body: { error: { message: 'no', type: 'bad' } } }, 502],
    ['garbage', { body: 'hello' }, 502],
    ['a redirect', { status: 302, headers: { location: '/v1/elsewhere' } }, 502],
    ['a permanent redirect', { status: 308, headers: { location: '/v1/elsewhere' } }, 502],
  ])('answers as our own fault-finding after nothing but %s', async (_, script, status) => {
    world.upstream.answers(script)
    const answer = await ask()
    expect([answer.status, asked()]).toEqual([status, ['4', '3', '2']])
    expect(answer.headers.location).toBeUndefined()
    expect(world.upstream.requests.every(({ path }) => path === CHAT)).toBe(true)
  })

  it('takes a null error for no error', async () => {
    const choices = [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }]
    world.upstream.streams([{ error: null, choices }, '[DONE]'])
    expect((await ask('plain', { stream: true })).text).toContain('Hello')
    world.upstream.answers({ body: { ...chatAnswer('Hello'), error: null } })
    expect((await ask()).status).toBe(200)
    expect(asked()).toEqual(['4', '4'])
  })

  it('never tries again after the first byte', async () => {
    world.upstream.streams([{ choices: [{ index: 0, delta: { content: 'He' } }] }, 'never'], { cutAfter: 1 })
    const answer = await ask('plain', { stream: true })
    expect([answer.status, asked()]).toEqual([200, ['4']])
    expect(answer.text).toMatch(/"He".*stream_response_error/s)
    expect(answer.text).not.toContain('[DONE]')
  })

  it('reports a saturated upstream in our own words, with its Retry-After', async () => {
    world.upstream.answers({ ...failing(429), headers: { 'retry-after': '9' } })
    const { status, error, headers } = await ask()
    expect([status, headers['retry-after']]).toEqual([429, '9'])
    expect(error.message).toMatch(/saturated/)
  })
})

describe('the record of the retries (docs/reference/selection.md#retries, docs/reference/billing.md#receipts)', () => {
  it('the channels tried, in order, with the reason, only for administrators', async () => {
    world.upstream.answers(failing(500), failing(429), good)
    await ask()
    const row = await lastReceipt(world, alice.id)
    expect(row.channel_id).toBe(ids[6])
    expect(row.other.admin_info).toEqual({
      use_channel: [String(ids[4]), String(ids[5]), String(ids[6])],
      tried: [
        { channel: ids[4], status: 500, reason: 'failed 500' },
        { channel: ids[5], status: 429, reason: 'failed 429' },
        { channel: ids[6] },
      ],
    })
    const { data } = await alice.get('/api/log/self?page_size=1')
    const own = Array.isArray(data) ? data[0] : data.items[0]
    expect(JSON.stringify(own)).not.toMatch(/admin_info|use_channel|failed 500/)
    expect(own.channel).toBe(0)
  })

  it('one row of type 5 for a request that failed, which costs nothing', async () => {
    const before = await alice.quota()
    const rows = (await receiptsOf(world, alice.id)).length
    world.upstream.answers(failing(500))
    await ask()
    const row = await lastReceipt(world, alice.id, rows + 1)
    expect((await receiptsOf(world, alice.id)).length).toBe(rows + 1)
    expect(row).toMatchObject({ type: 5, quota: 0, model_name: 'plain' })
    expect(row.other).toMatchObject({
      status_code: 500,
      error_code: 'y',
      admin_info: { use_channel: ids.slice(4, 7).map(String) },
    })
    expect(await alice.quota()).toBe(before)
    await world.option('ErrorLogEnabled', false)
    await ask()
    expect((await receiptsOf(world, alice.id)).length).toBe(rows + 1)
    await world.option('ErrorLogEnabled', true)
  })
})
