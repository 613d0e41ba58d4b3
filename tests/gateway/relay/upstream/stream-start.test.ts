import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageStream } from '../../../support/anthropic.ts'
import { chatStream } from '../../../support/chat.ts'
import { geminiError, geminiStream } from '../../../support/gemini.ts'
import { responseStream } from '../../../support/responses.ts'
import { namedEvent } from '../../../support/said.ts'
import type { StreamEvent } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { balancesOf } from '../metering/receipts.ts'
import { type DialectName, dialectNames, dialects } from '../parity/dialects.ts'
import { listening } from './held-vendor.ts'

const GIVEN = 1_000_000_000
let world: World
let alice: Person

/** Channel types by dialect. */
const types = { openai: 1, responses: 1, anthropic: 14, gemini: 24 } as const satisfies Record<DialectName, number>
const modelOf = (name: DialectName) => `by-${types[name]}`

beforeAll(async () => {
  world = await aWorld({
    options: { ModelRatio: { 'by-1': 1, 'by-14': 1, 'by-24': 1, 'by-37': 1, converted: 1 }, RetryTimes: 1 },
  })
  const setting = JSON.stringify({ api_format: 'responses' })
  const wanted = [1, 14, 24, 37].map((type) => ({ type, models: `by-${type}` }))
  for (const fields of [...wanted, { type: 1, models: 'converted', setting }]) {
    await world.channel({ ...fields, priority: 1, key: 'first-key' })
    await world.channel({ ...fields, key: 'second-key' })
  }
  alice = await world.user({ quota: GIVEN })
})
beforeEach(() => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
})

const said = { texts: ['Hello', ' there'] }
const [role, empty] = [{ role: 'assistant' }, { role: 'assistant', content: '' }]
const chunk = (delta: object) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: null }] })
const heads: Record<DialectName, StreamEvent[]> = {
  openai: [Buffer.from(': PROCESSING\n\n'), chunk(role), chunk(empty), { id: 'c', choices: [], usage: null }],
  responses: responseStream(said).slice(0, 3),
  anthropic: messageStream(said).slice(0, 3),
  gemini: [{ usageMetadata: { promptTokenCount: 3 } }, { candidates: [{ content: { role: 'model' } }] }],
}
const overloaded = { type: 'overloaded_error', message: 'their words' }
const errors: Record<DialectName, StreamEvent> = {
  openai: { error: { message: 'their words', type: 'server_error' } },
  responses: namedEvent('response.failed', {
    type: 'response.failed',
    response: { status: 'failed', error: { code: 'server_error', message: 'their words' } },
  }),
  anthropic: namedEvent('error', { type: 'error', error: overloaded }),
  gemini: geminiError(503, 'UNAVAILABLE', 'their words'),
}
const good: Record<DialectName, StreamEvent[]> = {
  openai: chatStream(['Hello', ' there']),
  responses: responseStream(said),
  anthropic: messageStream(said),
  gemini: geminiStream(said),
}
const ask = (name: DialectName, model = modelOf(name)) =>
  alice.calls(dialects[name].path(model, true), dialects[name].body(model, true))
const hearing = async (name: DialectName) => {
  const { path, body } = dialects[name]
  return listening(world.url + path(modelOf(name), true), await alice.key(), body(modelOf(name), true))
}
const keysAsked = () =>
  world.upstream.requests.map(({ headers }) => (JSON.stringify(headers).includes('first-key') ? 'first' : 'second'))
const bytesOf = (events: readonly StreamEvent[]) =>
  Buffer.concat(
    events.map((event) =>
      Buffer.isBuffer(event)
        ? event
        : Buffer.from(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`),
    ),
  )

describe('a stream that fails before it has content (docs/reference/streams.md#start-of-a-stream)', () => {
  it.each(dialectNames)('goes to another channel, and only that is charged: %s', async (name) => {
    world.upstream.streams([...heads[name], errors[name]], { gapMs: 5 })
    world.upstream.streams(good[name])
    const before = await balancesOf(world, alice.id, GIVEN)
    const { status, text } = await ask(name)
    expect([status, text.includes('Hello'), text.includes('their words')]).toEqual([200, true, false])
    expect(keysAsked()).toEqual(['first', 'second'])
    const { balanced, receipts } = await balancesOf(world, alice.id, GIVEN)
    expect([balanced, receipts.length]).toEqual([true, before.receipts.length + 1])
  })

  it.each(dialectNames)('goes there in one packet, and for a caller of another dialect: %s', async (name) => {
    world.upstream.streams([bytesOf([...heads[name], errors[name]])])
    world.upstream.streams(good[name])
    const { text } = await ask(
      name === 'openai' ? 'anthropic' : 'openai',
      name === 'responses' ? 'converted' : modelOf(name),
    )
    expect([text.includes('Hello'), text.includes('their words')]).toEqual([true, false])
    expect(keysAsked()).toEqual(['first', 'second'])
  })

  it('goes there where a vendor has a separate wire format and errors', async () => {
    const answer = { event: 'message', message_id: 'm', conversation_id: 'c', answer: 'Hello' }
    world.upstream.streams(
      [
        { event: 'workflow_started', data: { id: 'w' } },
        { event: 'error', status: 503, code: 'completion_request_error', message: 'their words' },
      ],
      { gapMs: 5 },
    )
    world.upstream.streams([answer, { event: 'message_end', message_id: 'm', metadata: {} }])
    expect((await ask('openai', 'by-37')).text).toContain('Hello')
    expect(keysAsked()).toEqual(['first', 'second'])
  })

  it.each<[string, StreamEvent[], object]>([
    ['breaks off', [...heads.anthropic, 'never'], { cutAfter: 3 }],
    ['ends', heads.anthropic, {}],
  ])('goes there where it %s', async (_, events, how) => {
    world.upstream.streams(events, how)
    world.upstream.streams(good.anthropic)
    expect((await ask('anthropic')).text).toContain('Hello')
    expect(keysAsked()).toEqual(['first', 'second'])
  })

  it('speaks against its key as a refusal at once would', async () => {
    const limited = { type: 'rate_limit_error', message: 'their words' }
    world.upstream.streams([...heads.anthropic, namedEvent('error', { type: 'error', error: limited })], { gapMs: 5 })
    world.upstream.streams(good.anthropic)
    await ask('anthropic')
    await ask('anthropic')
    expect(keysAsked()).toEqual(['first', 'second', 'second'])
  })

  it('returns its error with a status where no other channel is left', async () => {
    world.upstream.streams([...heads.openai, errors.openai], { gapMs: 5 })
    const { status, json } = await ask('openai')
    expect([status, json.error.message]).toEqual([502, expect.stringContaining('their words')])
    expect(keysAsked()).toEqual(['first', 'second'])
  })
})

describe('a stream that has content (docs/reference/streams.md#start-of-a-stream)', () => {
  it.each(dialectNames)('is sent with its beginning, unchanged: %s', async (name) => {
    const events = [...heads[name], ...good[name]]
    const pieces = [...bytesOf(events).toString('latin1')].reduce<string[]>((all, letter, at) => {
      if (at % 97 === 0) all.push('')
      all.push((all.pop() ?? '') + letter)
      return all
    }, [])
    world.upstream.streams(pieces.map((piece) => Buffer.from(piece, 'latin1')))
    const { text } = await ask(name)
    const whole = bytesOf(events).toString()
    const usage = /data: [^\n]*"usage":\{[^\n]*\n\n/
    expect(text).toBe(name === 'openai' ? whole.replace(usage, '') : whole)
  })

  it('is sent at once, and a later error is reported within it', async () => {
    world.upstream.streams([...heads.anthropic, ...messageStream(said).slice(3, 4)], { hang: true })
    const heard = await hearing('anthropic')
    expect(await heard.hears(/Hello/)).toContain('message_start')
    heard.leave()
    world.upstream.streams([...heads.anthropic, ...messageStream(said).slice(3, 4), errors.anthropic])
    expect((await ask('anthropic')).text).toMatch(/message_start.*Hello.*their words/s)
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('is not delayed for more than 128 KiB without content', async () => {
    world.upstream.streams([Buffer.from(`: ${'-'.repeat(2000)}\n\n`.repeat(66))], { hang: true })
    const heard = await hearing('openai')
    expect(heard.status).toBe(200)
    heard.leave()
  })
})
