import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../../../gateway/config.ts'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf, lastReceipt } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'
import { aHeldVendor, begins, type HeldVendor, says } from './held-vendor.ts'

const GIVEN = 1_000_000_000
const models = 'gpt-4o,o3-mini,once'
let vendor: HeldVendor
let spare: HeldVendor
beforeAll(async () => {
  vendor = await aHeldVendor()
  spare = await aHeldVendor()
})
beforeEach(() => spare.answers((response) => says(response, 200, chatAnswer('Hello'))))

async function aHouse(config: Record<string, string>) {
  const ratios = Object.fromEntries(models.split(',').map((model) => [model, 1]))
  const world = await aWorld({ options: { ModelRatio: ratios, RetryTimes: 1 }, config })
  await world.channel({ base_url: vendor.url, models, priority: 10 })
  await world.channel({ base_url: spare.url, models: 'gpt-4o' })
  return { world, alice: await world.user({ quota: GIVEN }) }
}

const said = (content: string) => `data: ${JSON.stringify(chatStream([content])[0])}\n\n`
const ask = (alice: Person, dialect: DialectName, stream: boolean, model = 'once') =>
  alice.calls(dialects[dialect].path(model, stream), dialects[dialect].body(model, stream))

/** The 504 of each dialect, as an event in a stream and as a response. */
const late: Record<DialectName, { event: object; answer: object }> = {
  openai: {
    event: { error: { code: 'stream_response_error', param: '504' } },
    answer: { error: { type: 'upstream_error', param: '504' } },
  },
  responses: {
    event: { type: 'response.failed', response: { status: 'failed', error: { code: 'stream_response_error' } } },
    answer: { error: { type: 'upstream_error', param: '504' } },
  },
  anthropic: {
    event: { type: 'error', error: { type: 'timeout_error' } },
    answer: { type: 'error', error: { type: 'timeout_error' } },
  },
  gemini: {
    event: { error: { code: 504, status: 'DEADLINE_EXCEEDED' } },
    answer: { error: { code: 504, status: 'DEADLINE_EXCEEDED' } },
  },
}
const IN_TIME = /did not respond in time/

/** Writes a piece twenty times per second for as long as the client reads. */
async function drip(response: ServerResponse, piece: string): Promise<void> {
  while (!response.destroyed) {
    response.write(piece)
    await sleep(50)
  }
}

describe('an upstream that falls silent (STREAMING_TIMEOUT, docs/reference/streams.md#time-outs)', () => {
  let world: World
  let alice: Person
  beforeAll(async () => {
    const house = await aHouse({ STREAMING_TIMEOUT: '1' })
    world = house.world
    alice = house.alice
  })

  it.each(dialectNames)(
    'within a stream ends it with an event of %s; the received part is paid for',
    async (dialect) => {
      const isOwn = dialect === 'responses'
      const begun = isOwn ? RESPONSE : said('Hello there')
      vendor.answers((response) => begins(response, begun))
      const { text, events } = await ask(alice, dialect, true)
      expect(text).toContain('Hello there')
      expect(events.at(-1)).toMatchObject(late[dialect].event)
      expect(text).toMatch(IN_TIME)
      expect(text).not.toContain('[DONE]')
      const receipt = await lastReceipt(world, alice.id)
      expect(receipt).toMatchObject({ type: 2, completion_tokens: 3, other: { ended: 'upstream-timeout' } })
      expect(receipt.quota).toBeGreaterThan(0)
    },
  )

  it.each([true, false])('before its first byte leaves the answer to another channel, streamed: %s', async (stream) => {
    vendor.answers((response) => {
      if (stream) return begins(response)
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.write('{"id":')
    })
    spare.answers((response) =>
      stream ? begins(response).end(said('Hello')) : says(response, 200, chatAnswer('Hello')),
    )
    expect((await ask(alice, 'openai', stream, 'gpt-4o')).content).toBe('Hello')
    const { other } = await lastReceipt(world, alice.id)
    expect(other.admin_info.tried).toMatchObject([
      { status: 504, reason: 'the upstream stopped sending its response (STREAMING_TIMEOUT)' },
      {},
    ])
  })

  it.each(dialectNames)('and has no other channel is reported as 504 in %s', async (dialect) => {
    vendor.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"id":')
    })
    const { status, json, text } = await ask(alice, dialect, false)
    expect(status).toBe(504)
    expect(json).toMatchObject(late[dialect].answer)
    expect(text).toMatch(IN_TIME)
    const receipt = await lastReceipt(world, alice.id)
    expect(receipt).toMatchObject({ type: 5, quota: 0, other: { status_code: 504 } })
    expect(receipt.content).toMatch(IN_TIME)
  })

  it('has twice the time where its model reasons: it continues after one that began later was ended', async () => {
    let reasoning: ServerResponse | undefined
    const rest = chatStream([' there']).map((event) => `data: ${JSON.stringify(event)}\n\n`)
    vendor.answers((response) => {
      begins(response, said('Hello'))
      if (reasoning) response.on('close', () => reasoning?.end(rest.join('')))
      reasoning ??= response
    })
    const long = ask(alice, 'openai', true, 'o3-mini')
    await expect.poll(() => reasoning).toBeDefined()
    expect((await ask(alice, 'openai', true)).content).toBe('Hello')
    expect((await long).content).toBe('Hello there')
  })

  it('leaves the ledger right', async () => {
    expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  })
})

describe('an upstream that takes too long in all (RELAY_TIMEOUT)', () => {
  let world: World
  let alice: Person
  beforeAll(async () => {
    const house = await aHouse({ RELAY_TIMEOUT: '1' })
    world = house.world
    alice = house.alice
  })

  it.each([
    ['without a head', () => {}],
    ['with a head and no byte', (response: ServerResponse) => void begins(response)],
  ])('is followed by another channel, %s', async (_, answering) => {
    vendor.answers(answering)
    spare.answers((response) => begins(response).end(said('Hello')))
    expect((await ask(alice, 'openai', true, 'gpt-4o')).content).toBe('Hello')
    const { other } = await lastReceipt(world, alice.id)
    expect(other.admin_info.tried).toMatchObject([
      { status: 504, reason: 'the upstream took longer than 1 s in all (RELAY_TIMEOUT)' },
      {},
    ])
  })

  it('is reported as 504, also while its answer arrives', async () => {
    vendor.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      return drip(response, ' ')
    })
    const { status, json } = await ask(alice, 'openai', false)
    expect([status, json.error.param]).toEqual([504, '504'])
    expect(json.error.message).toMatch(IN_TIME)
  })

  it('is cut off within its stream, and the received part is paid for', async () => {
    vendor.answers((response) => drip(begins(response), said('word ')))
    const { text, events } = await ask(alice, 'openai', true)
    expect(text.split('word ').length).toBeGreaterThan(3)
    expect(events.at(-1)).toMatchObject(late.openai.event)
    const { other, completion_tokens } = await lastReceipt(world, alice.id)
    expect(other.ended).toBe('upstream-timeout')
    expect(completion_tokens).toBeGreaterThan(3)
    expect((await balancesOf(world, alice.id, GIVEN)).balanced).toBe(true)
  })

  it('lets a caller that leaves go at once', async () => {
    const { promise: left, resolve } = Promise.withResolvers<void>()
    const leaving = new AbortController()
    vendor.answers((response) => {
      response.on('close', resolve)
      leaving.abort()
    })
    const body = dialects.openai.body('once', true)
    await expect(alice.calls('/v1/chat/completions', body, { signal: leaving.signal })).rejects.toThrow()
    await left
  })
})

describe('the settings', () => {
  const idle = (environment: Record<string, string>) => readConfig(environment, []).STREAMING_TIMEOUT
  it('have one time of silence by two names', () => {
    expect(idle({})).toBe(300)
    expect(idle({ UPSTREAM_IDLE_TIMEOUT: '7' })).toBe(7)
    expect(idle({ STREAMING_TIMEOUT: '8' })).toBe(8)
    expect(idle({ UPSTREAM_IDLE_TIMEOUT: '7', STREAMING_TIMEOUT: '8' })).toBe(8)
    expect(readConfig({}, ['--streaming-timeout', '9']).STREAMING_TIMEOUT).toBe(9)
    expect(() => readConfig({ STREAMING_TIMEOUT: 'soon' }, [])).toThrow(/^STREAMING_TIMEOUT/)
    expect(() => readConfig({ UPSTREAM_IDLE_TIMEOUT: 'soon' }, [])).toThrow(/^UPSTREAM_IDLE_TIMEOUT/)
  })

  it('have no limit of the whole unless one is set', () => {
    expect(readConfig({}, []).RELAY_TIMEOUT).toBe(0)
    expect(readConfig({ RELAY_TIMEOUT: '30' }, []).RELAY_TIMEOUT).toBe(30)
  })
})

/** The start of a stream of Responses. */
const RESPONSE = [
  { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
  { type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hello there' },
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('')
