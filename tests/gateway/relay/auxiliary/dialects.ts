import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect } from 'vitest'
import type { World } from '../../../support/world.ts'
import { gathered } from './gathered.ts'

export type Asked = Readonly<{ model: string; stream: boolean; text?: string }>

/** A dialect from the caller's point of view: its path, its errors, and its official SDK. */
export type SpokenDialect = Readonly<{
  name: string
  /** A channel type that uses the dialect natively. */
  type: number
  path: (asked: Asked) => string
  body: (asked: Asked) => Record<string, unknown>
  /** A required field of requests. */
  needed: string
  /** The header in which the vendor receives its key. */
  keyHeader: (key: string) => Record<string, string>
  /** Makes a request through the SDK and reads the response to its end. */
  sdk: (world: World, key: string, asked: Asked) => Promise<unknown>
  /** The class that the SDK throws for a status. */
  thrown: (status: number) => unknown
  /** The vendor's own error body for a status. */
  vendorError: (status: number, message: string) => object
  /** Events of a stream: `word` is one word, `errorEvent` an error within the stream. */
  word: object
  errorEvent: Buffer | object
  /** Expects an error body in the dialect's form; `isQuota`: the account is out of quota. */
  expectShape: (body: unknown, status: number, isQuota?: boolean) => void
}>

/** The class for a status. Both SDKs come from one generator, and so name their error classes alike. */
const classOf =
  (sdk: object) =>
  (status: number): unknown =>
    Reflect.get(sdk, classes[status] ?? (status >= 500 ? 'InternalServerError' : 'APIError'))

const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  401: 'AuthenticationError',
  403: 'PermissionDeniedError',
  404: 'NotFoundError',
  429: 'RateLimitError',
}

const words = { message: expect.any(String), type: expect.any(String) }
const openaiShape = (body: unknown) =>
  expect(body).toEqual({ error: { ...words, param: expect.anything(), code: expect.anything() } })
const openaiError = (status: number, message: string) => ({
  error: { message, type: 'their_type', param: 'their_param', code: `their_${status}` },
})
const text = ({ text = 'Hi' }: Asked) => text
const named = (event: string, data: object) => Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)

const openaiOf = (world: World, key: string) =>
  new OpenAI({ apiKey: `sk-${key}`, baseURL: `${world.url}/v1`, maxRetries: 0 })

async function drained(answer: unknown): Promise<unknown> {
  const stream = (await answer) as AsyncIterable<unknown>
  return Symbol.asyncIterator in Object(stream) ? gathered(stream) : stream
}

const anthropicTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

const geminiStatuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'INVALID_ARGUMENT',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

export const dialects: readonly SpokenDialect[] = [
  {
    name: 'OpenAI Chat',
    type: 1,
    path: () => '/v1/chat/completions',
    body: (asked) => ({ model: asked.model, stream: asked.stream, messages: [{ role: 'user', content: text(asked) }] }),
    needed: 'messages',
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    sdk: (world, key, { model, stream }) => {
      const messages = [{ role: 'user' as const, content: 'Hi' }]
      return drained(openaiOf(world, key).chat.completions.create({ model, stream, messages }))
    },
    thrown: classOf(OpenAI),
    vendorError: openaiError,
    word: { id: 'x', choices: [{ index: 0, delta: { content: 'Word' } }] },
    errorEvent: { error: { message: 'their words', type: 'server_error', code: 'their_code' } },
    expectShape: openaiShape,
  },
  {
    name: 'OpenAI Responses',
    type: 1,
    path: () => '/v1/responses',
    body: (asked) => ({ model: asked.model, stream: asked.stream, input: text(asked) }),
    needed: 'input',
    keyHeader: (key) => ({ authorization: `bearer ${key}` }),
    sdk: (world, key, { model, stream }) =>
      drained(openaiOf(world, key).responses.create({ model, stream, input: 'Hi' })),
    thrown: classOf(OpenAI),
    vendorError: openaiError,
    word: { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta: 'Word' },
    errorEvent: named('error', { type: 'error', code: 'their_code', message: 'their words', param: null }),
    expectShape: openaiShape,
  },
  {
    name: 'Anthropic Messages',
    type: 14,
    path: () => '/v1/messages',
    body: (asked) => ({
      model: asked.model,
      stream: asked.stream,
      max_tokens: 10,
      messages: [{ role: 'user', content: text(asked) }],
    }),
    needed: 'messages',
    keyHeader: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
    sdk: (world, key, { model, stream }) => {
      const client = new Anthropic({ apiKey: `sk-${key}`, baseURL: world.url, maxRetries: 0 })
      const messages = [{ role: 'user' as const, content: 'Hi' }]
      return drained(client.messages.create({ model, stream, messages, max_tokens: 10 }))
    },
    thrown: classOf(Anthropic),
    vendorError: (status, message) => ({
      type: 'error',
      error: { type: anthropicTypes[status] ?? 'api_error', message },
    }),
    word: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Word' } },
    errorEvent: named('error', { type: 'error', error: { type: 'overloaded_error', message: 'their words' } }),
    expectShape: (body, status, isQuota) => {
      const type = isQuota ? 'billing_error' : (anthropicTypes[status] ?? 'api_error')
      expect(body).toEqual({ type: 'error', error: { type, message: expect.any(String) } })
    },
  },
  {
    name: 'Gemini',
    type: 24,
    path: ({ model, stream }) =>
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (asked) => ({ contents: [{ role: 'user', parts: [{ text: text(asked) }] }] }),
    needed: 'contents',
    keyHeader: (key) => ({ 'x-goog-api-key': key }),
    sdk: (world, key, { model, stream }) => {
      const { models } = new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: world.url } })
      const asked = { model, contents: 'Hi' }
      return drained(stream ? models.generateContentStream(asked) : models.generateContent(asked))
    },
    thrown: () => expect.objectContaining({ name: 'ApiError' }),
    vendorError: (code, message) => ({ error: { code, message, status: geminiStatuses[code] ?? 'INTERNAL' } }),
    word: { candidates: [{ content: { role: 'model', parts: [{ text: 'Word' }] } }] },
    errorEvent: { error: { code: 503, message: 'their words', status: 'UNAVAILABLE' } },
    expectShape: (body, code, isQuota) => {
      const status = isQuota ? 'RESOURCE_EXHAUSTED' : (geminiStatuses[code] ?? 'INTERNAL')
      const details =
        isQuota || code === 429 ? { details: [expect.objectContaining({ '@type': expect.any(String) })] } : {}
      expect(body).toEqual({ error: { code, message: expect.any(String), status, ...details } })
    },
  },
]
