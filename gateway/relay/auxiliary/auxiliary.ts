import { percentDecoded } from '../../base/bytes/percent.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { shown, writeError } from '../delivery/error-body.ts'
import type { Format } from '../formats/format.ts'
import { suggestedRoute } from '../intake/intended-path.ts'
import { dialectOf, unofferedBecause } from '../intake/relay-routes.ts'
import type { RelayRoute } from '../model/endpoint.ts'
import type { RequestContext } from '../model/request-context.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import type { AuxiliaryDeps } from './auxiliary-deps.ts'
import { answerClientSecret } from './client-secrets.ts'
import { answerConversation, type ConversationAction } from './conversations.ts'
import { answerCount } from './count-tokens.ts'
import { answerDashboard } from './dashboard.ts'
import { answerModels, styleOf } from './model-list.ts'
import { sendError } from './reply.ts'
import { answerStored, type StoredResponseAction } from './stored-responses.ts'

/** `parts` are the path's captures, still encoded. */
type Handle = (deps: AuxiliaryDeps, context: RequestContext, parts: readonly string[]) => Promise<void> | void

const models: Handle = (deps, context, [id = '']) => answerModels(deps, context, id)

const dashboard: Handle = (deps, context, [figure = '']) => answerDashboard(deps, context, figure)

const count =
  (format: RelayRoute['format'], endpoint: RelayRoute['endpoint']): Handle =>
  (deps, context, [model = '']) => {
    const route = { format, endpoint, playground: false }
    return answerCount(deps, context, model === '' ? { route } : { route, model: percentDecoded(model), stream: false })
  }

const stored =
  (action: StoredResponseAction): Handle =>
  (deps, context, [id = '']) =>
    answerStored(deps, context, action, id)

const conversation =
  (action: ConversationAction): Handle =>
  (deps, context, parts) =>
    answerConversation(deps, context, { action, parts })

/** The paths of auxiliary requests: neither relayed calls nor tasks. HEAD is handled as GET. */
export const paths: readonly (readonly [method: string, path: RegExp, handle: Handle])[] = [
  ['GET', /^\/v1(?:beta(?:\/openai)?)?\/models(?:\/(.+))?$/, models],
  ['GET', /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/, dashboard],
  ['POST', /^\/v1\/messages\/count_tokens$/, count('anthropic', 'messages')],
  ['POST', /^\/v1(?:beta)?\/models\/(.+):countTokens$/, count('gemini', 'generate')],
  ['POST', /^\/v1\/responses\/input_tokens$/, count('responses', 'responses')],
  ['GET', /^\/v1\/responses\/([^/]+)$/, stored('retrieve')],
  ['DELETE', /^\/v1\/responses\/([^/]+)$/, stored('delete')],
  ['POST', /^\/v1\/responses\/([^/]+)\/cancel$/, stored('cancel')],
  ['GET', /^\/v1\/responses\/([^/]+)\/input_items$/, stored('input_items')],
  ['POST', /^\/v1\/realtime\/client_secrets$/, (deps, context) => answerClientSecret(deps, context)],
  ['POST', /^\/v1\/conversations$/, conversation('create')],
  ['GET', /^\/v1\/conversations\/([^/]+)$/, conversation('retrieve')],
  ['POST', /^\/v1\/conversations\/([^/]+)$/, conversation('update')],
  ['DELETE', /^\/v1\/conversations\/([^/]+)$/, conversation('delete')],
  ['GET', /^\/v1\/conversations\/([^/]+)\/items$/, conversation('list-items')],
  ['POST', /^\/v1\/conversations\/([^/]+)\/items$/, conversation('create-items')],
  ['GET', /^\/v1\/conversations\/([^/]+)\/items\/([^/]+)$/, conversation('retrieve-item')],
  ['DELETE', /^\/v1\/conversations\/([^/]+)\/items\/([^/]+)$/, conversation('delete-item')],
]

type Auxiliary = Readonly<{ handle: Handle; parts: readonly string[] }>

export function auxiliaryFor({ method, path }: Pick<RequestContext, 'method' | 'path'>): Auxiliary | undefined {
  const verb = method === 'HEAD' ? 'GET' : method
  for (const [verbOfPath, pattern, handle] of paths) {
    const match = verbOfPath === verb ? pattern.exec(path) : null
    if (match) return { handle, parts: match.slice(1).map((part) => part ?? '') }
  }
  return undefined
}

/** Handles a request that is not a relayed call: 404 or 501 without an `auxiliary`. Never throws. */
export async function answerAuxiliary(
  deps: AuxiliaryDeps,
  received: RequestContext,
  auxiliary: Auxiliary | undefined,
): Promise<void> {
  const context = spoken(received)
  try {
    if (auxiliary) return await auxiliary.handle(deps, context, auxiliary.parts)
    const sentence = unofferedBecause(context.method, context.path)
    if (sentence) throw refuse('notImplemented', sentence, {}, { code: 'api_not_implemented' })
    sendNotFound(context)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof UpstreamError))
      deps.log.error('relay route failed', { requestId: context.requestId, error })
    sendError(context, error)
  }
}

/** Returns the request in the dialect that its headers indicate, if its path belongs to no dialect. */
function spoken(context: RequestContext): RequestContext {
  if (context.format !== 'openai') return context
  return inDialect(context, styleOf(context.request.headers, context.path, context.query))
}

function inDialect(context: RequestContext, format: Format): RequestContext {
  const head = format === 'anthropic' ? { ...context.head, 'request-id': context.requestId } : context.head
  return { ...context, format, head }
}

/** Sends 404 with the most similar path, in the dialect of that path (docs/reference/endpoints.md#other-paths). */
export function sendNotFound(received: RequestContext): void {
  const { method, path } = received
  const meant = suggestedRoute(method, path)
  const context = meant === undefined ? received : inDialect(received, dialectOf(meant.split(' ')[1] ?? ''))
  const refusal = meant === undefined ? 'relay.notFound' : 'relay.notFoundNear'
  const failure = shown(refuse('missing', refusal, { method, path, meant: meant ?? '' }), context)
  const type = context.format === 'anthropic' ? 'not_found_error' : 'invalid_request_error'
  writeError(context, { ...failure, error: { ...failure.error, type } })
}
