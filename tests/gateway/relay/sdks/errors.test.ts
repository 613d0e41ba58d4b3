import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ErrorKind } from '../../../../gateway/relay/upstream/error-kind.ts'
import type { Script } from '../../../support/upstream.ts'
import { aWorld, type World } from '../../../support/world.ts'

const vendors = { openai: 1, anthropic: 14, gemini: 24 } as const
type Vendor = keyof typeof vendors
const vendorNames = Object.keys(vendors) as Vendor[] // the keys of a constant
const kinds = ['context', 'quota', 'limited', 'overloaded'] as const satisfies readonly ErrorKind[]
const LIMITED = { 'retry-after': '7' }

const openai = (code: string, type: string, message: string) => ({ error: { message, type, code, param: null } })
const anthropic = (type: string, message: string) => ({ type: 'error', error: { type, message } })
const google = (code: number, status: string, message: string, details: object[] = []) => ({
  error: { code, status, message, details },
})
const WAIT = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '6.2s' }

/** Each kind of error in each vendor's form. */
const said: Record<Vendor, Record<ErrorKind, Script>> = {
  openai: {
    context: {
      status: 400,
      body: openai(
        'context_length_exceeded',
        'invalid_request_error',
        "This model's maximum context length is 16384 tokens. However, your messages resulted in 16630 tokens.",
      ),
    },
    quota: { status: 429, body: openai('insufficient_quota', 'insufficient_quota', 'You exceeded your current quota') },
    limited: { status: 429, headers: LIMITED, body: openai('rate_limit_exceeded', 'tokens', 'Rate limit reached') },
    overloaded: { status: 503, body: openai('server_is_overloaded', 'service_unavailable_error', 'Overloaded') },
  },
  anthropic: {
    context: {
      status: 400,
      body: anthropic('invalid_request_error', 'prompt is too long: 16630 tokens > 16384 maximum'),
    },
    quota: { status: 400, body: anthropic('invalid_request_error', 'Your credit balance is too low') },
    limited: { status: 429, headers: LIMITED, body: anthropic('rate_limit_error', 'Slower') },
    overloaded: { status: 529, body: anthropic('overloaded_error', 'Overloaded') },
  },
  gemini: {
    context: {
      status: 400,
      body: google(
        400,
        'INVALID_ARGUMENT',
        'The input token count (16630) exceeds the maximum number of tokens allowed (16384).',
      ),
    },
    quota: { status: 429, body: google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.') },
    limited: { status: 429, body: google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted', [WAIT]) },
    overloaded: { status: 503, body: google(503, 'UNAVAILABLE', 'Overloaded') },
  },
}

/** The same errors as OpenAI's clients receive them, from any vendor. */
const seenByOpenai: Record<ErrorKind, object> = {
  context: { status: 400, code: 'context_length_exceeded', type: 'invalid_request_error' },
  quota: { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' },
  limited: { status: 429, code: 'rate_limit_exceeded' },
  overloaded: { status: 503, code: 'server_is_overloaded', type: 'service_unavailable_error' },
}
const seenByAnthropic: Record<ErrorKind, object> = {
  context: { status: 400, type: 'invalid_request_error' },
  quota: { status: 402, type: 'billing_error' },
  limited: { status: 429, type: 'rate_limit_error' },
  overloaded: { type: 'overloaded_error' },
}
const seenByGemini: Record<ErrorKind, object> = {
  context: { code: 400, status: 'INVALID_ARGUMENT' },
  quota: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ reason: 'QUOTA_EXHAUSTED' }] },
  limited: { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ ...WAIT, retryDelay: '7s' }] },
  overloaded: { code: 503, status: 'UNAVAILABLE' },
}

let world: World
let apiKey: string
const messages = [{ role: 'user' as const, content: 'hi' }]
const openaiSdk = (maxRetries = 0) => new OpenAI({ apiKey, baseURL: `${world.url}/v1`, maxRetries, logLevel: 'off' })
const anthropicSdk = (maxRetries = 0) => new Anthropic({ apiKey, baseURL: world.url, maxRetries, logLevel: 'off' })
const thrown = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('it succeeded'),
    (error) => error,
  )
const drained = async (stream: Promise<AsyncIterable<unknown>>) => {
  for await (const _ of await stream);
}
const rows = vendorNames.flatMap((vendor) => kinds.map((kind) => [vendor, kind] as const))

beforeAll(async () => {
  const models = Object.fromEntries(vendorNames.map((vendor) => [`model-of-${vendor}`, 1]))
  world = await aWorld({ options: { ModelRatio: models, RetryTimes: 0 } })
  for (const vendor of vendorNames)
    await world.channel({ type: vendors[vendor], models: `model-of-${vendor}`, key: 'k-of-the-vendor' })
  apiKey = await (await world.user({ quota: 1_000_000_000 })).key()
})
beforeEach(() => {
  world.upstream.reset()
  // Ends the cooldown of failed channels.
  world.clock.advanceSeconds(3600)
})

describe('errors that the official clients can handle (docs/reference/errors.md#kinds)', () => {
  it.each(rows)('OpenAI Chat over %s: %s', async (vendor, kind) => {
    world.upstream.answers(said[vendor][kind])
    for (const stream of [false, true]) {
      const error = await thrown(openaiSdk().chat.completions.create({ model: `model-of-${vendor}`, messages, stream }))
      expect(error).toMatchObject(seenByOpenai[kind])
      if (kind === 'context') expect(error.message).toMatch(/maximum context length is 16384 tokens\..*16630/)
      if (kind === 'limited') expect(error.headers.get('retry-after')).toBe('7')
      world.clock.advanceSeconds(3600)
    }
  })

  it.each(rows)('OpenAI Responses over %s: %s', async (vendor, kind) => {
    world.upstream.answers(said[vendor][kind])
    const error = await thrown(openaiSdk().responses.create({ model: `model-of-${vendor}`, input: 'hi' }))
    expect(error).toMatchObject(seenByOpenai[kind])
    world.clock.advanceSeconds(3600)
    const asked = { model: `model-of-${vendor}`, input: 'hi', stream: true as const }
    const streamed = await thrown(drained(openaiSdk().responses.create(asked)))
    const { status: _, ...seen } = { status: 0, ...seenByOpenai[kind] }
    expect(streamed).toMatchObject(kind === 'context' ? { ...seen, status: undefined } : seenByOpenai[kind])
  })

  it.each(rows)('Anthropic over %s: %s', async (vendor, kind) => {
    world.upstream.answers(said[vendor][kind])
    for (const stream of [false, true]) {
      const asked = { model: `model-of-${vendor}`, max_tokens: 10, messages, stream }
      const error = await thrown(anthropicSdk().messages.create(asked))
      expect(error).toMatchObject(seenByAnthropic[kind])
      if (kind === 'overloaded') expect(error.status).toBe(said[vendor][kind].status)
      if (kind === 'context') expect(error.message).toMatch(/prompt is too long: 16630 tokens > 16384 maximum/)
      world.clock.advanceSeconds(3600)
    }
  })

  it.each(rows)('Google GenAI over %s: %s', async (vendor, kind) => {
    world.upstream.answers(said[vendor][kind])
    const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: world.url } })
    const asked = { model: `model-of-${vendor}`, contents: 'hi' }
    for (const ask of [() => models.generateContent(asked), () => drained(models.generateContentStream(asked))]) {
      const error = await thrown(ask())
      expect(error).toBeInstanceOf(ApiError)
      expect(JSON.parse(error.message).error).toMatchObject(seenByGemini[kind])
      if (kind === 'context')
        expect(error.message).toMatch(
          /input token count \(16630\) exceeds the maximum number of tokens allowed \(16384\)/,
        )
      world.clock.advanceSeconds(3600)
    }
  })

  it('a vendor’s sentence stays, behind the words that clients look for', async () => {
    const body = { error: { message: 'Input is too long for requested model.', type: 'validation' } }
    world.upstream.answers({ status: 400, body })
    const model = 'model-of-openai'
    const chat = await thrown(openaiSdk().chat.completions.create({ model, messages }))
    expect(chat.message).toContain('maximum context length')
    const message = await thrown(anthropicSdk().messages.create({ model, max_tokens: 10, messages }))
    expect(message.apiMessage).toMatch(/^prompt is too long\. Input is too long for requested model\. \(request id: /)
    expect(chat.message).toContain('Input is too long for requested model. (request id: ')
  })

  it('a prompt that is too long only with its answer: clients of Anthropic request a shorter one', async () => {
    const sentence =
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion)."
    world.upstream.answers({ status: 400, body: { error: { message: sentence, type: 'x', code: 'y' } } })
    const error = await thrown(anthropicSdk().messages.create({ model: 'model-of-openai', max_tokens: 8192, messages }))
    expect(error.message).toContain('input length and `max_tokens` exceed context limit: 122942 + 8192 > 131072')
  })

  it('an account without quota is not tried again', async () => {
    world.upstream.answers(said.openai.quota)
    const chat = await thrown(openaiSdk(3).chat.completions.create({ model: 'model-of-openai', messages }))
    expect(chat.message).toMatch(/no quota left/)
    expect(world.upstream.requests).toHaveLength(1)
    world.clock.advanceSeconds(3600)
    await thrown(anthropicSdk(3).messages.create({ model: 'model-of-openai', max_tokens: 10, messages }))
    expect(world.upstream.requests).toHaveLength(2)
  })

  it('a body that is too large is 413 in each dialect', async () => {
    world.upstream.answers({ status: 413, body: anthropic('request_too_large', 'Request exceeds the maximum size') })
    const model = 'model-of-anthropic'
    const message = await thrown(anthropicSdk().messages.create({ model, max_tokens: 10, messages }))
    expect(message).toMatchObject({ status: 413, type: 'request_too_large' })
    const chat = await thrown(openaiSdk().chat.completions.create({ model, messages }))
    expect(chat).toMatchObject({ status: 413, code: 'context_length_exceeded' })
  })

  it('codes are texts: of OpenRouter and of Google', async () => {
    world.upstream.answers({ status: 404, body: { error: { code: 404, message: 'No endpoints found' } } })
    const ask = (model: string) => thrown(openaiSdk().chat.completions.create({ model, messages }))
    expect((await ask('model-of-openai')).code).toBe('404')
    world.upstream.answers({ status: 404, body: google(404, 'NOT_FOUND', 'no such model') })
    expect((await ask('model-of-gemini')).code).toBe('NOT_FOUND')
    for (const [code, told] of [
      ['', ''],
      [null, null],
      [undefined, ''],
      [{ a: 1 }, '{"a":1}'],
    ]) {
      world.upstream.answers({ status: 404, body: { error: { message: 'no', type: null, code } } })
      expect(await ask('model-of-openai')).toMatchObject({ code: told, type: 'upstream_error' })
    }
  })

  it('a channel’s mapping of a status applies', async () => {
    const status_code_mapping = '{"402":"503","400":"418"}'
    await world.channel({ models: 'mapped', key: 'k-of-the-vendor', status_code_mapping })
    await world.option('ModelRatio', { mapped: 1 })
    world.upstream.answers({ status: 402, body: { error: { message: 'Insufficient Balance' } } })
    const ask = () => thrown(openaiSdk().chat.completions.create({ model: 'mapped', messages }))
    expect(await ask()).toMatchObject({ status: 503, code: 'insufficient_quota' })
    world.clock.advanceSeconds(3600)
    world.upstream.answers(said.openai.context)
    expect(await ask()).toMatchObject({ status: 418, code: 'context_length_exceeded' })
  })
})
