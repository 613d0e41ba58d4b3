import { GatewayError, refuse } from '../../base/errors.ts'
import { percentDecoded } from '../../base/percent.ts'
import type { Arrival } from '../model/request-context.ts'
import { styleOf } from './model-list.ts'
import { shown, writeError } from '../delivery/error-body.ts'
import { isUnoffered, type Route } from '../intake/surface.ts'
import { UpstreamError } from '../upstream/upstream-error.ts'
import { answerCount } from './count-tokens.ts'
import { answerDashboard } from './dashboard.ts'
import { answerKept, type Wish } from './stored-responses.ts'
import { answerModels } from './models.ts'
import { tell } from './reply.ts'
import type { SideDeps } from './auxiliary-deps.ts'

type Handle = (deps: SideDeps, arrival: Arrival, part: string) => Promise<void> | void

const models: Handle = (deps, arrival, id) => answerModels(deps, arrival, id)

const count =
  (format: Route['format'], endpoint: Route['endpoint']): Handle =>
  (deps, arrival, model) => {
    const route = { format, endpoint, playground: false }
    return answerCount(deps, arrival, model === '' ? { route } : { route, model: percentDecoded(model), stream: false })
  }

const kept =
  (wish: Wish): Handle =>
  (deps, arrival, id) =>
    answerKept(deps, arrival, wish, id)

/** Every path that is no relayed call; what is captured is handed over. A HEAD is answered as a GET. */
const paths: readonly (readonly [method: string, path: RegExp, handle: Handle])[] = [
  ['GET', /^\/v1(?:beta(?:\/openai)?)?\/models(?:\/(.+))?$/, models],
  ['GET', /^(?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/, answerDashboard],
  ['POST', /^\/v1\/messages\/count_tokens$/, count('anthropic', 'messages')],
  ['POST', /^\/v1(?:beta)?\/models\/(.+):countTokens$/, count('gemini', 'generate')],
  ['POST', /^\/v1\/responses\/input_tokens$/, count('responses', 'responses')],
  ['GET', /^\/v1\/responses\/([^/]+)$/, kept('retrieve')],
  ['DELETE', /^\/v1\/responses\/([^/]+)$/, kept('delete')],
  ['POST', /^\/v1\/responses\/([^/]+)\/cancel$/, kept('cancel')],
  ['GET', /^\/v1\/responses\/([^/]+)\/input_items$/, kept('input_items')],
]

/** Answers what is no relayed call: 404 and 501 for the rest. Never throws. */
export async function answerSide(deps: SideDeps, arrived: Arrival): Promise<void> {
  const arrival = spoken(arrived)
  const method = arrival.method === 'HEAD' ? 'GET' : arrival.method
  try {
    for (const [verb, path, handle] of paths) {
      const match = verb === method ? path.exec(arrival.path) : null
      if (match) return await handle(deps, arrival, match[1] ?? '')
    }
    if (isUnoffered(arrival.method, arrival.path))
      throw refuse('notImplemented', 'relay.notImplemented', {}, { code: 'api_not_implemented' })
    tellNotFound(arrival)
  } catch (error) {
    if (!(error instanceof GatewayError || error instanceof UpstreamError))
      deps.log.error('relay route failed', { requestId: arrival.requestId, error })
    tell(arrival, error)
  }
}

/** The arrival in the dialect its headers speak, where its path belongs to none. */
function spoken(arrival: Arrival): Arrival {
  if (arrival.format !== 'openai') return arrival
  const format = styleOf(arrival.request.headers, arrival.path, arrival.query)
  const head = format === 'anthropic' ? { ...arrival.head, 'request-id': arrival.requestId } : arrival.head
  return { ...arrival, format, head }
}

function tellNotFound(arrival: Arrival): void {
  const { method, path, format } = arrival
  const told = shown(refuse('missing', 'relay.notFound', { method, path }), arrival)
  const type = format === 'anthropic' ? 'not_found_error' : 'invalid_request_error'
  writeError(arrival, { ...told, error: { ...told.error, type } })
}
