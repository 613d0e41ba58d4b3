import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { messageError, messageStream } from '../../../support/anthropic.ts'
import { saidStream } from '../../../support/chat-said.ts'
import { geminiError, geminiStream } from '../../../support/gemini.ts'
import { responseStream } from '../../../support/responses.ts'
import { namedEvent } from '../../../support/said.ts'
import type { StreamEvent } from '../../../support/upstream.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt } from '../metering/receipts.ts'

const said = { texts: ['Hel', 'lo'] }
const error = (code: string | number | null, type: string, message: string) => ({ message, type, code, param: null })
const TOO_LONG = 'Your input exceeds the context window of this model. Please adjust your input and try again.'

/** The last events of broken streams in each vendor's dialect, by kind of error. */
type Told = Readonly<{ limited: StreamEvent; overloaded: StreamEvent; context: StreamEvent; quota: StreamEvent }>
const vendors: Readonly<Record<string, Readonly<{ type: number; begun: readonly StreamEvent[]; told: Told }>>> = {
  openai: {
    type: 1,
    begun: saidStream(said).slice(0, 2),
    told: {
      limited: { error: error('rate_limit_exceeded', 'tokens', 'Rate limit reached') },
      overloaded: { error: error('server_is_overloaded', 'service_unavailable_error', 'Overloaded') },
      context: { error: error('context_length_exceeded', 'invalid_request_error', TOO_LONG) },
      quota: { error: error('insufficient_quota', 'insufficient_quota', 'You exceeded your current quota') },
    },
  },
  router: {
    type: 20,
    begun: saidStream(said).slice(0, 2),
    told: {
      limited: { error: { code: 429, message: 'Rate limited' } },
      overloaded: { error: { code: 503, message: 'No provider' } },
      context: { error: { code: 400, message: "This endpoint's maximum context length is 5 tokens." } },
      quota: { error: { code: 402, message: 'Insufficient credits' } },
    },
  },
  anthropic: {
    type: 14,
    begun: messageStream(said).slice(0, 4),
    told: {
      limited: namedEvent('error', messageError('rate_limit_error', 'Slower')),
      overloaded: namedEvent('error', messageError('overloaded_error', 'Overloaded')),
      context: namedEvent('error', messageError('invalid_request_error', 'prompt is too long: 5 tokens > 4 maximum')),
      quota: namedEvent('error', messageError('billing_error', 'Your credit balance is too low')),
    },
  },
  gemini: {
    type: 24,
    begun: geminiStream(said).slice(0, 1),
    told: {
      limited: geminiError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted'),
      overloaded: geminiError(503, 'UNAVAILABLE', 'Overloaded'),
      context: geminiError(
        400,
        'INVALID_ARGUMENT',
        'The input token count (5) exceeds the maximum number of tokens allowed (4).',
      ),
      quota: geminiError(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
    },
  },
}
const vendorNames = Object.keys(vendors)
const kinds = ['limited', 'overloaded', 'context', 'quota'] as const

const failed = (code: string) => ({ type: 'response.failed', response: { status: 'failed', error: { code } } })
/** The last event that each caller dialect receives, from any vendor. */
const seen: Record<string, Record<(typeof kinds)[number], object>> = {
  openai: {
    limited: { error: { code: 'rate_limit_exceeded' } },
    overloaded: { error: { code: 'server_is_overloaded' } },
    context: {
      error: {
        code: 'context_length_exceeded',
        message: expect.stringMatching(/maximum context length|context window/),
      },
    },
    quota: { error: { code: 'insufficient_quota' } },
  },
  responses: {
    limited: failed('rate_limit_exceeded'),
    overloaded: failed('server_is_overloaded'),
    context: failed('context_length_exceeded'),
    quota: failed('insufficient_quota'),
  },
  anthropic: {
    limited: { type: 'error', error: { type: 'rate_limit_error' } },
    overloaded: { type: 'error', error: { type: 'overloaded_error' } },
    context: {
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining('prompt is too long') },
    },
    quota: { type: 'error', error: { type: 'billing_error' } },
  },
  gemini: {
    limited: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
    overloaded: { error: { code: 503, status: 'UNAVAILABLE' } },
    context: {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: expect.stringMatching(/input token count.* exceeds the maximum number of tokens/),
      },
    },
    quota: { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } },
  },
}

let world: World
let alice: Person
const ask = (format: string, model: string) => {
  const messages = [{ role: 'user', content: 'hi' }]
  if (format === 'openai') return alice.calls('/v1/chat/completions', { model, messages, stream: true })
  if (format === 'responses') return alice.calls('/v1/responses', { model, input: 'hi', stream: true, store: false })
  if (format === 'anthropic') return alice.calls('/v1/messages', { model, messages, max_tokens: 10, stream: true })
  return alice.calls(`/v1beta/models/${model}:streamGenerateContent?alt=sse`, {
    contents: [{ parts: [{ text: 'hi' }] }],
  })
}
/** Expects consecutive sequence numbers; returns the events. */
const numbered = <T extends { sequence_number: number }>(events: readonly T[]): readonly T[] => {
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index))
  return events
}

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [name, { type }] of Object.entries(vendors)) await world.channel({ type, models: name, key: 'vendor-key' })
  // Of the two vendors with OpenAI's dialect, only OpenAI itself has the Responses API.
  await world.channel({ type: 1, models: 'gpt-4o', key: 'vendor-key' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => {
  world.upstream.reset()
  world.clock.advanceSeconds(3600)
})

const rows = Object.keys(seen).flatMap((format) =>
  vendorNames
    .filter((vendor) => format !== 'responses' || vendor !== 'openai')
    .flatMap((vendor) => kinds.map((kind) => [format, vendor, kind] as const)),
)
/** Whether the stream is relayed unchanged, and so ends with the vendor's own error. */
const isOwn = (format: string, vendor: string) => format === vendor || (format === 'openai' && vendor === 'router')

describe('an error within a stream (docs/reference/errors.md#errors-within-a-stream)', () => {
  it.each(rows.filter(([format, vendor]) => !isOwn(format, vendor)))('%s over %s: %s', async (format, vendor, kind) => {
    const { begun = [], told } = vendors[vendor] ?? {}
    world.upstream.streams([...begun, ...(told ? [told[kind]] : [])])
    const { status, events, text } = await ask(format, vendor)
    expect(status).toBe(200)
    expect(text).toContain('Hel')
    expect(events.at(-1)).toMatchObject(seen[format]?.[kind] ?? {})
    expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
    if (format !== 'responses') return
    const [said, last] = numbered(events).slice(-2)
    expect(said).toMatchObject({ type: 'error', ...last?.response.error, error: last?.response.error })
  })

  it('of a limit is reported in the vendor’s words: Codex reads from them how long to wait', async () => {
    const message = 'Rate limit reached for gpt-4o in organization org-Ab12Cd34Ef56. Please try again in 1.898s.'
    world.upstream.streams([
      ...(vendors.anthropic?.begun ?? []),
      namedEvent('error', messageError('rate_limit_error', message)),
    ])
    const { error } = (await ask('responses', 'anthropic')).events.at(-1).response
    expect(error).toEqual({
      code: 'rate_limit_exceeded',
      message: expect.stringMatching(/in organization \*\*\*\. Please try again in 1\.898s\. \(request id: /),
    })
  })

  it('of OpenRouter, untouched, has a code that is a text', async () => {
    const { begun = [], told } = vendors.router ?? {}
    world.upstream.streams([...begun, ...(told ? [told.limited] : [])])
    expect((await ask('openai', 'router')).events.at(-1)).toEqual({ error: { code: '429', message: 'Rate limited' } })
  })
})

const streams: readonly (readonly [format: string, model: string, events: readonly StreamEvent[], last: object])[] = [
  ['openai', 'openai', saidStream(said).slice(0, 2), { error: { code: 'stream_response_error' } }],
  ['anthropic', 'anthropic', messageStream(said).slice(0, 4), { type: 'error', error: { type: 'api_error' } }],
  ['gemini', 'gemini', geminiStream(said).slice(0, 1), { error: { code: 502 } }],
  ['responses', 'gpt-4o', responseStream(said).slice(0, 5), failed('stream_response_error')],
]

describe('a stream that its vendor closes before its end, untouched (docs/reference/errors.md#errors-within-a-stream)', () => {
  const ways = streams.flatMap((row) => [false, true].map((isWithin) => [...row, isWithin] as const))
  it.each(ways)(
    'ends with the error of %s, whose SDKs would take it for whole',
    async (format, model, begun, last, isWithin) => {
      const cut = isWithin ? [Buffer.from('data: {"par')] : []
      world.upstream.streams([...begun, ...cut])
      const { status, events, text } = await ask(format, model)
      expect(status).toBe(200)
      expect(text).toContain('Hel')
      expect(events.at(-1)).toMatchObject(last)
      expect(text).not.toMatch(/\[DONE\]|message_stop|response\.completed/)
      expect((await lastReceipt(world, alice.id)).other.ended).toMatch(/^upstream-(broken|error)$/)
    },
  )

  it('is not changed if it has a finish reason, though its vendor sends no end mark', async () => {
    const whole = saidStream(said).filter((event) => !String(event).includes('[DONE]'))
    world.upstream.streams(whole)
    expect((await ask('openai', 'openai')).text).not.toContain('error')
  })
})

describe('an error within a stream of a vendor that has Responses (docs/reference/errors.md#errors-within-a-stream)', () => {
  const begun = responseStream(said, {}, 'resp_theirs').slice(0, 5)
  const theirs = error('server_is_overloaded', 'service_unavailable_error', 'Overloaded')
  const nested = namedEvent('error', { type: 'error', sequence_number: 5, error: theirs })
  const flat = namedEvent('error', {
    type: 'error',
    sequence_number: 5,
    code: 'rate_limit_exceeded',
    message: 'no',
    param: null,
  })
  const response = {
    id: 'resp_theirs',
    object: 'response',
    status: 'failed',
    output: [],
    error: { code: 'context_length_exceeded', message: TOO_LONG },
  }
  const theirFailed = namedEvent('response.failed', { type: 'response.failed', sequence_number: 6, response })

  it('passes unchanged, and the response that failed follows, once', async () => {
    for (const end of [[nested], [nested, theirFailed]]) {
      world.upstream.streams([...begun, ...end])
      const { events, text } = await ask('responses', 'gpt-4o')
      const last = numbered(events).slice(-2)
      expect(last).toMatchObject([
        { type: 'error', error: theirs },
        { ...failed('server_is_overloaded'), sequence_number: 6, response: { id: 'resp_theirs' } },
      ])
      expect(text.match(/event: response\.failed/g)).toHaveLength(1)
    }
  })

  it('is read where its members are at the top level', async () => {
    world.upstream.streams([...begun, flat])
    const { events } = await ask('responses', 'gpt-4o')
    expect(numbered(events).at(-1)).toMatchObject(failed('rate_limit_exceeded'))
  })

  it('that is a failed response passes without a further event', async () => {
    world.upstream.streams([...begun, theirFailed])
    const { events } = await ask('responses', 'gpt-4o')
    expect(events.slice(begun.length)).toMatchObject([{ type: 'response.failed', sequence_number: 6, response }])
  })

  it('and one that breaks off ends with both, under its own id', async () => {
    world.upstream.streams([...begun, 'never'], { cutAfter: begun.length })
    const { events } = await ask('responses', 'gpt-4o')
    expect(numbered(events).slice(-2)).toMatchObject([
      { type: 'error', code: 'stream_response_error' },
      { ...failed('stream_response_error'), response: { id: 'resp_theirs' } },
    ])
  })
})

describe('a prompt that is too long for a stream of Responses (docs/reference/errors.md#errors-within-a-stream)', () => {
  const refused = {
    status: 400,
    body: { error: error(null, 'invalid_request_error', 'prompt is too long: 5 tokens > 4 maximum') },
  }

  it.each(vendorNames.concat('gpt-4o'))(
    'is reported within the stream, though no event was sent: %s',
    async (model) => {
      world.upstream.answers(refused)
      const { status, events, headers } = await ask('responses', model)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
      expect(numbered(events)).toMatchObject([
        { type: 'response.created', response: { status: 'in_progress', model } },
        { type: 'error', code: 'context_length_exceeded', error: { type: 'invalid_request_error' } },
        failed('context_length_exceeded'),
      ])
      const { message } = events[2].response.error
      expect(message).toMatch(
        /^Your input exceeds the context window of this model\. .* prompt is too long: 5 tokens > 4/,
      )
    },
  )

  it('is thrown by the official client, and is 400 where no stream was requested', async () => {
    world.upstream.answers(refused)
    const client = new OpenAI({ apiKey: await alice.key(), baseURL: `${world.url}/v1`, maxRetries: 0, logLevel: 'off' })
    const asked = { model: 'gpt-4o', input: 'hi' }
    const read = async () => {
      for await (const _ of await client.responses.create({ ...asked, stream: true }));
    }
    await expect(read()).rejects.toMatchObject({ code: 'context_length_exceeded' })
    await expect(client.responses.create(asked)).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' })
  })

  it('is one row of a failed request, with status and code', async () => {
    world.upstream.answers(refused)
    await ask('responses', 'gpt-4o')
    const { type, other } = await lastReceipt(world, alice.id)
    expect([type, other.status_code, other.error_code]).toEqual([5, 400, 'context_length_exceeded'])
  })
})
