import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chatAnswer, chatStream } from '../../../support/chat.ts'
import { responseStream } from '../../../support/responses.ts'
import { namedEvent } from '../../../support/said.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

let world: World
let alice: Person
const ids: Record<string, number[]> = {}

const told = (message: string, more: object = {}): Script => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', code: null, ...more } },
})
const tooLong = told('prompt is too long: 210118 tokens > 200000 maximum')
const good: Script = { body: chatAnswer('Hello') }

beforeAll(async () => {
  world = await aWorld({
    options: {
      SelfUseModeEnabled: true,
      RetryTimes: 3,
      AutomaticDisableChannelEnabled: true,
      AutomaticDisableKeywords: 'too long',
    },
  })
  for (const [models, type, more] of [
    ['plain', 1, {}],
    ['claude', 14, {}],
    ['mapped', 1, { status_code_mapping: '{"400":"500"}' }],
  ] as const)
    ids[models] = [
      await world.channel({ models, type, key: 'first-key', priority: 2, auto_ban: 1, ...more }),
      await world.channel({ models, type, key: 'second-key', priority: 1, auto_ban: 1, ...more }),
    ]
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const statuses = async (model: string) => {
  const rows = await world.gateway.inner.db.selectFrom('channels').select(['id', 'status']).execute()
  return rows.filter(({ id }) => ids[model]?.includes(id)).map(({ status }) => status)
}

/** A stream of Responses that fails before any output; its start and its end arrive together. */
const failingAtOnce = (code: string, name = 'error') => {
  const [created, begun] = responseStream({ texts: ['Hello'] })
  const error = { type: 'x', code, message: 'their words', param: null }
  const body = name === 'error' ? { error } : { response: { id: 'resp_1', status: 'failed', output: [], error } }
  const failed = namedEvent(name, { type: name, sequence_number: 2, ...body })
  return { events: [Buffer.concat([created ?? failed, begun ?? failed, failed])] }
}
const responds = (stream = true) => alice.calls('/v1/responses', { model: 'plain', input: 'hi', stream })

describe('a stream of Responses that fails before any output (docs/reference/selection.md#retries)', () => {
  it.each(['error', 'response.failed'])('goes to another channel, by its event %s', async (name) => {
    world.upstream.answers(failingAtOnce('rate_limit_exceeded', name), {
      events: responseStream({ texts: ['Hello'] }),
    })
    const { status, text } = await responds()
    expect([status, text.includes('response.completed'), text.includes('their words')]).toEqual([200, true, false])
    expect(world.upstream.requests).toHaveLength(2)
    world.clock.advanceSeconds(3600)
  })

  it('is reported at once where the prompt is too long', async () => {
    world.upstream.answers(failingAtOnce('context_length_exceeded'))
    const { status, events } = await responds()
    expect([status, events.at(-1).type, events.at(-1).response.error.code]).toEqual([
      200,
      'response.failed',
      'context_length_exceeded',
    ])
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('passes once there is output', async () => {
    const events = responseStream({ texts: ['Hello'] }).slice(0, 5)
    const error = namedEvent('error', {
      type: 'error',
      sequence_number: 5,
      error: { code: 'x', message: 'their words' },
    })
    world.upstream.answers({ events: [Buffer.concat([...events, error])] })
    expect((await responds()).text).toMatch(/Hello.*their words/s)
    expect(world.upstream.requests).toHaveLength(1)
  })
})

describe('a prompt that is longer than the model’s context (docs/reference/selection.md#retries)', () => {
  it.each(['plain', 'claude', 'mapped'])(
    'is sent to no other channel and counts as a failure of none: %s',
    async (model) => {
      world.upstream.answers(tooLong)
      for (let time = 0; time < 5; time += 1) {
        const before = world.upstream.requests.length
        const { status, json } = await alice.asks(model, 'hi')
        expect(status).toBe(model === 'mapped' ? 500 : 400)
        expect(json.error.code).toBe('context_length_exceeded')
        expect(world.upstream.requests.length - before).toBe(1)
      }
      expect(await statuses(model)).toEqual([1, 1])
      world.upstream.reset()
      world.upstream.answers(
        model === 'claude' ? { body: { type: 'message', content: [], stop_reason: 'end_turn' } } : good,
      )
      await alice.asks(model, 'hi')
      const { headers } = world.upstream.last()
      expect(headers['x-api-key'] ?? headers.authorization).toContain('first-key')
      expect((await lastReceipt(world, alice.id)).other.admin_info.use_channel).toEqual([String(ids[model]?.[0])])
    },
  )

  it('within a stream speaks against no channel either', async () => {
    const [first] = chatStream(['Hello'])
    world.upstream.streams([first!, { error: { message: 'no', code: 'context_length_exceeded' } }])
    for (let time = 0; time < 4; time += 1) await alice.asks('plain', 'hi', { stream: true })
    world.upstream.streams(chatStream(['Hello']))
    await alice.asks('plain', 'hi', { stream: true })
    expect(world.upstream.last().headers.authorization).toContain('first-key')
  })

  it('any other error within streams does', async () => {
    const [first] = chatStream(['Hello'])
    world.upstream.streams([first!, { error: { message: 'no', code: 'server_error' } }])
    for (let time = 0; time < 3; time += 1) await alice.asks('plain', 'hi', { stream: true })
    world.upstream.streams(chatStream(['Hello']))
    await alice.asks('plain', 'hi', { stream: true })
    expect(world.upstream.last().headers.authorization).toContain('second-key')
    world.clock.advanceSeconds(3600)
  })

  it('in an answer with a success status is reported as 400 at once', async () => {
    world.upstream.answers({ body: { error: { message: 'no', code: 'context_length_exceeded' } } }, good)
    expect((await alice.asks('plain', 'hi')).status).toBe(400)
    expect(world.upstream.requests).toHaveLength(1)
  })

  it('while a body of too many bytes may pass elsewhere', async () => {
    world.upstream.answers({ status: 413, body: 'too large' }, good)
    expect((await alice.asks('plain', 'hi')).status).toBe(200)
    expect(world.upstream.requests).toHaveLength(2)
  })
})
