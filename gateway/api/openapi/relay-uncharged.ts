import type { Operation } from './console.ts'
import { dialectTags, idOf, modelInPath } from './relay.ts'
import { conversations } from './relay-conversations.ts'
import { type ErrorDialect, errorAnswers, keysOf } from './relay-errors.ts'
import {
  idParameter,
  inQuery,
  itemPages,
  list,
  maybe,
  open,
  passedOn,
  record,
  storedTag,
  text,
  type UnchargedRow,
  whole,
} from './relay-pieces.ts'
import type { Piece } from './schema.ts'

const anthropicModel = record({ id: text, created_at: text, display_name: text, type: { const: 'model' } })
const geminiModel = record({ name: text, displayName: text, supportedGenerationMethods: list(text) })
const openaiModel = record({
  id: text,
  object: { const: 'model' },
  created: whole,
  owned_by: text,
  permission: { type: 'array', maxItems: 0 },
  root: text,
  parent: { type: 'null' },
})
const openaiModels = record({ success: { const: true }, object: { const: 'list' }, data: list(openaiModel) })
const anthropicModels = record({
  data: list(anthropicModel),
  first_id: maybe,
  has_more: { type: 'boolean' },
  last_id: maybe,
})
const geminiModels = record({ models: list(geminiModel), nextPageToken: maybe })
const pages = [
  inQuery('limit', 'Models a page, in the style of Anthropic.', whole),
  inQuery('after_id', 'The model before the page, in the style of Anthropic.'),
  inQuery('before_id', 'The model behind the page, in the style of Anthropic.'),
  inQuery('pageSize', 'Models a page, in the style of Gemini.', whole),
  inQuery('pageToken', 'Where the page begins, in the style of Gemini.'),
]
const anyStyle: readonly ErrorDialect[] = ['openai', 'anthropic', 'gemini']

const modelPaths = (['/v1', '/v1beta', '/v1beta/openai'] as const).flatMap((version): UnchargedRow[] => {
  const tag = version === '/v1beta' ? dialectTags.gemini : dialectTags.openai
  const formats = version === '/v1beta' ? (['gemini'] as const) : anyStyle
  const one = {
    '/v1': [openaiModel, anthropicModel, geminiModel],
    '/v1beta': [geminiModel],
    '/v1beta/openai': [openaiModel],
  }
  const all = {
    '/v1': [openaiModels, anthropicModels, geminiModels],
    '/v1beta': [geminiModels],
    '/v1beta/openai': [openaiModels],
  }
  return [
    {
      method: 'get',
      path: `${version}/models`,
      summary: 'Lists the models that the key may use, in the format selected by the headers.',
      tag,
      formats,
      parameters: version === '/v1beta/openai' ? [] : pages,
      answer: { anyOf: all[version] },
    },
    {
      method: 'get',
      path: `${version}/models/{model}`,
      summary: 'Returns one model that the key may use.',
      tag,
      formats,
      parameters: [modelInPath],
      answer: { anyOf: one[version] },
    },
  ]
})

const failed = record({ error: record({ message: text, type: text }) })
const subscription = record({
  object: { const: 'billing_subscription' },
  has_payment_method: { const: true },
  soft_limit_usd: { type: 'number' },
  hard_limit_usd: { type: 'number' },
  system_hard_limit_usd: { type: 'number' },
  access_until: whole,
})
const used = record({ object: { const: 'list' }, total_usage: { type: 'number' } })
const dashboards = ['/v1', ''].flatMap((version): UnchargedRow[] => [
  {
    method: 'get',
    path: `${version}/dashboard/billing/subscription`,
    summary: "Returns the key's total quota, as OpenAI's old billing dashboard did.",
    tag: 'Billing',
    formats: anyStyle,
    answer: { anyOf: [subscription, failed] },
  },
  {
    method: 'get',
    path: `${version}/dashboard/billing/usage`,
    summary: "Returns the key's usage, in cents.",
    tag: 'Billing',
    formats: anyStyle,
    answer: { anyOf: [used, failed] },
  },
])

const messagesBody: Piece = {
  type: 'object',
  required: ['model', 'messages'],
  properties: { model: text },
  additionalProperties: true,
}
const counts: readonly UnchargedRow[] = [
  {
    method: 'post',
    path: '/v1/messages/count_tokens',
    summary: 'Counts the tokens of a conversation without sending it, in the format of Anthropic.',
    tag: dialectTags.anthropic,
    formats: ['anthropic'],
    body: messagesBody,
    answer: open({ input_tokens: whole }),
  },
  {
    method: 'post',
    path: '/v1/responses/input_tokens',
    summary: 'Counts the tokens of an input without sending it, in the format of OpenAI Responses.',
    tag: dialectTags.responses,
    formats: ['responses'],
    body: { type: 'object', required: ['model'], properties: { model: text }, additionalProperties: true },
    answer: open({ input_tokens: whole }),
  },
  ...['/v1beta', '/v1'].map(
    (version): UnchargedRow => ({
      method: 'post',
      path: `${version}/models/{model}:countTokens`,
      summary: 'Counts the tokens of a conversation without sending it, in the format of Gemini.',
      tag: dialectTags.gemini,
      formats: ['gemini'],
      parameters: [modelInPath],
      body: { type: 'object', additionalProperties: true },
      answer: open({ totalTokens: whole }),
    }),
  ),
]

const storedResponse = passedOn({ id: text, object: text })
const responses: readonly UnchargedRow[] = [
  {
    ...storedTag,
    method: 'get',
    path: '/v1/responses/{id}',
    summary: 'Returns a stored response of the account.',
    parameters: [idParameter, inQuery('stream', 'true for its events, where the provider keeps it.')],
    answer: storedResponse,
    streams: true,
  },
  {
    ...storedTag,
    method: 'delete',
    path: '/v1/responses/{id}',
    summary: 'Deletes a stored response of the account.',
    parameters: [idParameter],
    answer: storedResponse,
  },
  {
    ...storedTag,
    method: 'post',
    path: '/v1/responses/{id}/cancel',
    summary: 'Cancels a response that the provider creates in the background; a finished one is returned unchanged.',
    parameters: [idParameter],
    answer: storedResponse,
  },
  {
    ...storedTag,
    method: 'get',
    path: '/v1/responses/{id}/input_items',
    summary: 'Lists the input items of a response.',
    parameters: [idParameter, ...itemPages],
    answer: passedOn({
      object: text,
      data: list({ type: 'object' }),
      first_id: maybe,
      last_id: maybe,
      has_more: { type: 'boolean' },
    }),
  },
]

const sockets: readonly UnchargedRow[] = [
  {
    method: 'post',
    path: '/v1/realtime/client_secrets',
    summary: 'Creates a secret with which a browser can open Realtime sessions of the key.',
    tag: dialectTags.openai,
    formats: ['openai'],
    body: {
      type: 'object',
      properties: {
        expires_after: record(
          { anchor: { const: 'created_at' }, seconds: { type: 'integer', minimum: 10, maximum: 7200, default: 600 } },
          'anchor',
          'seconds',
        ),
        session: passedOn({ type: { enum: ['realtime', 'transcription'] }, model: text }),
      },
    },
    answer: record({ value: text, expires_at: whole, session: passedOn({ id: text, object: text, type: text }) }),
  },
  {
    method: 'get',
    path: '/v1/realtime',
    summary: 'Opens a Realtime session over a WebSocket; browsers send the key as a subprotocol.',
    tag: dialectTags.openai,
    formats: ['openai'],
    parameters: [
      inQuery('model', 'The model; also accepted as deployment.'),
      inQuery('intent', 'transcription for a session that writes down what it hears.'),
    ],
  },
  {
    method: 'get',
    path: '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    summary: 'Opens a session of the Live API over a WebSocket; its first frame, setup, names the model.',
    tag: dialectTags.gemini,
    formats: ['gemini'],
  },
  {
    method: 'get',
    path: '/v1/responses',
    summary: 'Opens a WebSocket on which responses are created one after the other.',
    tag: dialectTags.responses,
    formats: ['responses'],
  },
]

/** The auxiliary endpoints (relay/auxiliary) and the sockets, as operations. */
export const unchargedOperations = (): Operation[] =>
  [...modelPaths, ...counts, ...responses, ...conversations, ...dashboards, ...sockets].map(operationOf)

function operationOf(row: UnchargedRow): Operation {
  const { method, path, summary, tag, formats, parameters = [], body, answer, streams } = row
  const stream = streams && { 'text/event-stream': { schema: text } }
  const good = answer
    ? { 200: { description: 'The result.', content: { 'application/json': { schema: answer }, ...stream } } }
    : { 101: { description: 'The connection is a WebSocket from here on.' } }
  const operation = {
    operationId: `${method}${idOf(`x${path}`).slice(1)}`,
    tags: [tag],
    summary,
    security: keysOf(path),
    parameters,
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    responses: { ...good, ...errorAnswers(formats) },
  }
  return { path, method, operation }
}
