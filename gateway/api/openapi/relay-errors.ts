import type { RelayRoute } from '../../relay/model/endpoint.ts'
import type { Piece } from './schema.ts'

export type ErrorDialect = RelayRoute['format'] | 'drawing' | 'task'

const text: Piece = { type: 'string' }
const closed = (properties: Readonly<Record<string, Piece>>, ...optional: string[]): Piece => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

/** The errors of each dialect, as its vendor's SDK expects them, and of drawings and tasks; OpenAI's two share one. */
export const errorSchemas: Readonly<Record<string, Piece>> = {
  OpenAIError: closed({
    error: closed({
      message: { ...text, description: 'The error message, with the id of the request.' },
      type: { ...text, description: "switchyard_error for errors of the gateway, else the provider's type." },
      param: { description: 'The field that caused the error.' },
      code: { type: ['string', 'null'], description: 'A code of the gateway or of the provider.' },
    }),
  }),
  AnthropicError: closed({
    type: { const: 'error' },
    error: closed({ type: text, message: text }),
  }),
  GeminiError: closed({
    error: closed(
      {
        code: { type: 'integer' },
        message: text,
        status: text,
        details: {
          type: 'array',
          items: { type: 'object' },
          description:
            'When to retry after a limit (google.rpc.RetryInfo), or that a quota is used up (google.rpc.ErrorInfo).',
        },
      },
      'details',
    ),
  }),
  DrawingError: closed({
    description: { ...text, description: 'The error message, with the id of the request.' },
    type: { ...text, description: 'switchyard_error for errors of the gateway, else upstream_error.' },
    code: { type: 'integer', description: '4 a bad request, 5 unknown, 24 a blocked word, 30 no capacity.' },
  }),
  TaskError: closed({ code: text, message: text, data: { type: 'null' } }),
}

const errorNames: Readonly<Record<ErrorDialect, string>> = {
  openai: 'OpenAIError',
  responses: 'OpenAIError',
  anthropic: 'AnthropicError',
  gemini: 'GeminiError',
  drawing: 'DrawingError',
  task: 'TaskError',
}

const json = (schema: Piece): Piece => ({ 'application/json': { schema } })
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait, if known.', schema: { type: 'integer' } },
}

/** The error responses of a path in the given dialects; several if the caller's headers decide. */
export function errorAnswers(formats: readonly ErrorDialect[]): Piece {
  const names = [...new Set(formats.map((format) => errorNames[format]))]
  const refs = names.map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schema = refs.length === 1 ? (refs[0] ?? {}) : { anyOf: refs }
  return {
    421: { $ref: '#/components/responses/Misdirected' },
    '4XX': {
      description: 'Refused by the gateway or the provider: a key, a body, a limit, or a quota that is used up.',
      headers: retryAfter,
      content: json(schema),
    },
    '5XX': {
      description: 'The provider did not respond, or no channel was available.',
      headers: retryAfter,
      content: json(schema),
    },
  }
}

/** The response for an unknown Host, before a request is handled. */
export const misdirected: Piece = {
  description: 'This Host is not allowed (ALLOWED_HOSTS).',
  content: json({ $ref: '#/components/schemas/OpenAIError' }),
}

/** Where a relayed request may carry its key. */
export const relaySecurity: Readonly<Record<string, Piece>> = {
  relayKey: { type: 'http', scheme: 'bearer', description: 'An API token (sk-…), as OpenAI clients send it.' },
  anthropicKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'An API token, as Anthropic clients send it.',
  },
  googleKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-goog-api-key',
    description: 'An API token, as Google clients send it.',
  },
  googleQueryKey: {
    type: 'apiKey',
    in: 'query',
    name: 'key',
    description: 'An API token in the URL, as Google clients may send it.',
  },
}

/** Where a path accepts its key (relay/admission/credentials.ts). */
export function keysOf(path: string): Piece[] {
  const isModels = path.startsWith('/v1/models')
  const names = [
    'relayKey',
    ...(isModels || path.startsWith('/v1/messages') ? ['anthropicKey'] : []),
    ...(isModels || /^\/(v1beta\/|ws\/google\.)/.test(path) ? ['googleKey', 'googleQueryKey'] : []),
  ]
  return names.map((name) => ({ [name]: [] }))
}
