import { endpointSpecs } from '../../relay/intake/endpoint-specs.ts'
import { actions, dialectOf, routeFor, routes } from '../../relay/intake/relay-routes.ts'
import type { RelayRoute, RequestedEndpoint } from '../../relay/model/endpoint.ts'
import type { Operation } from './console.ts'
import { type EndpointText, endpointTexts } from './relay-bodies.ts'
import { errorAnswers, keysOf } from './relay-errors.ts'
import type { Piece } from './schema.ts'

export const dialectTags = {
  openai: 'OpenAI',
  responses: 'OpenAI Responses',
  anthropic: 'Anthropic',
  gemini: 'Gemini',
} as const satisfies Record<RelayRoute['format'], string>

export const relayedOperations = (): Operation[] => relayedPaths().map(relayed)

/** The tables of relay/intake/relay-routes.ts as paths of the document. */
function relayedPaths(): string[] {
  const plain = Object.keys(routes).map((key) => key.replace('POST ', ''))
  const gemini = ['/v1beta', '/v1'].flatMap((version) =>
    Object.keys(actions).map((action) => `${version}/models/{model}:${action}`),
  )
  return [...plain, '/v1/engines/{model}/embeddings', ...gemini]
}

function relayed(path: string): Operation {
  const found = routeFor('POST', path)
  if (!found || found.route.endpoint === 'realtime') throw new Error(`${path} is no relayed path`)
  const { route, stream } = found
  const { endpoint } = route
  const known = endpointTexts[endpoint as keyof typeof endpointTexts] // realtime has just been excluded
  const text = route.compacts ? { ...known, ...summaryText } : known
  const inPath = path.includes('{model}')
  const body = bodyOf(endpoint, text, route, inPath)
  const { form } = endpointSpecs[endpoint]
  const operation = {
    operationId: idOf(path),
    tags: [route.playground ? 'Playground' : dialectTags[route.format]],
    summary: route.playground
      ? 'Answers a conversation for the console, charged to the logged-in account.'
      : text.summary,
    description: `A body without what is needed is refused with the code ${endpointSpecs[endpoint].code}.`,
    security: route.playground ? [{ session: [], userId: [] }] : keysOf(path),
    parameters: [...(inPath ? [modelInPath] : []), ...(route.playground ? [] : [cacheMode])],
    requestBody: {
      required: true,
      content: {
        ...(form !== 'must' && { 'application/json': { schema: body, example: text.example } }),
        ...(form && { 'multipart/form-data': { schema: form === 'may' ? withImage(body) : body } }),
      },
    },
    responses: { 200: answerOf(endpoint, text, route.compacts ? false : stream), ...errorAnswers([dialectOf(path)]) },
  }
  return { path, method: 'post', operation }
}

/** The caller's cache mode (docs/reference/cache.md#cached-requests). */
const cacheMode: Piece = {
  name: 'X-Switchyard-Cache',
  in: 'header',
  description: 'Controls the response cache, if it is on for the token.',
  schema: { type: 'string', enum: ['use', 'refresh', 'off'] },
}

/** The response of a compaction (docs/reference/conversion.md#summaries). */
const summaryText: Pick<EndpointText, 'summary' | 'answer'> = {
  summary: 'Summarizes a conversation: the output replaces its earlier items, with any provider.',
  answer: {
    id: { type: 'string' },
    object: { const: 'response.compaction' },
    created_at: { type: 'integer' },
    output: { type: 'array', items: { type: 'object' } },
    usage: { type: 'object' },
  },
}

/** `/v1beta/models/{model}:countTokens` becomes `v1betaModelsModelCountTokens`. */
export const idOf = (path: string): string =>
  path
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word, index) => (index === 0 ? word : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join('')

export const modelInPath: Piece = { name: 'model', in: 'path', required: true, schema: { type: 'string' } }

function bodyOf(
  endpoint: RequestedEndpoint,
  { fields, required, also }: EndpointText,
  route: RelayRoute,
  inPath: boolean,
): Piece {
  const { model, streams } = endpointSpecs[endpoint]
  const isNamed = route.format !== 'gemini'
  const defaultModel = model && { default: model.routed }
  return {
    type: 'object',
    properties: {
      ...(isNamed && {
        model: { type: 'string', description: 'The name of a model that a channel offers.', ...defaultModel },
      }),
      ...fields,
      ...(streams &&
        !route.compacts && {
          stream: { type: 'boolean', description: 'Whether to return a stream of server-sent events.' },
        }),
      ...(route.playground && { group: { type: 'string', description: 'The group to use.' } }),
    },
    required: [...(isNamed && !inPath && !model ? ['model'] : []), ...required],
    additionalProperties: true,
    ...also,
  }
}

const withImage = (body: Piece): Piece => ({
  ...body,
  properties: { ...(body.properties as Piece), image: { type: 'string', format: 'binary' } }, // as created by `bodyOf`
})

/** A complete response, a stream, or both; `stream` is set if the path decides. */
function answerOf(
  endpoint: RequestedEndpoint,
  { answer, media = [] }: EndpointText,
  stream: boolean | undefined,
): Piece {
  const isComplete = Object.keys(answer).length > 0 && stream !== true
  const isStream = stream ?? endpointSpecs[endpoint].streams
  const content = {
    ...(isComplete && {
      'application/json': { schema: { type: 'object', properties: answer, additionalProperties: true } },
    }),
    ...Object.fromEntries(media.map((type) => [type, {}])),
    ...(isStream && { 'text/event-stream': { schema: { type: 'string' } } }),
  }
  return {
    description: "The response in the caller's format; unchanged if the provider has the same format.",
    headers: {
      'X-Request-Id': { description: 'The id of the request in the usage log.', schema: { type: 'string' } },
      'X-Switchyard-Dropped': {
        description:
          'Parts of the request that the provider does not support, or of its response that the dialect cannot express.',
        schema: { type: 'string' },
      },
      'X-Switchyard-Budget': {
        description: 'The budgets of the token whose usage has reached the warning threshold.',
        schema: { type: 'string' },
      },
      'X-Switchyard-Cache': {
        description:
          'Result of the response cache, if it is on for the token: `hit` came from the cache, `stored` was stored, ' +
          '`miss` was not, or is a stream, which is stored when it ends.',
        schema: { type: 'string', enum: ['hit', 'miss', 'stored'] },
      },
      Age: { description: 'Age of a cached response in seconds.', schema: { type: 'integer' } },
    },
    content,
  }
}
