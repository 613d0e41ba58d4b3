import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatMessage, type Locale, localeFrom } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { refuse } from '../base/errors.ts'
import type { Logger } from '../base/logger.ts'
import { createSlots } from '../base/slots.ts'
import type { Arrival } from './arrival.ts'
import { type ModelsDeps, modelList, modelsFor, oneModel, styleOf } from './endpoints/models.ts'
import { shown, writeError } from './error-body.ts'
import type { Caller, Identities } from './identify.ts'
import { keyFrom } from './key.ts'
import { type Patience, Waiting } from './patience.ts'
import { type Asker, type RelayDeps, relay } from './relay.ts'
import { decoded, isUnoffered, routeFor } from './surface.ts'

export type RoutesDeps = Readonly<{
  relay: RelayDeps
  models: ModelsDeps
  identities: Identities
  clock: Clock
  log: Logger
}>

/** What the HTTP edge knows of a request before it is relayed; `session` finds (or refuses) the signed-in account behind it. */
export type Edge = Readonly<{ requestId: string; ip: string; session: () => Promise<Caller> }>

/** The relay's side of the gateway. `drain` refuses new requests and waits for the running ones. */
export interface RelayRoutes {
  /** Whether a request URL (path and query) is the relay's to answer. */
  owns(url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse, edge: Edge): Promise<void>
  readonly active: number
  drain(waitMs: number): Promise<void>
}

/** Requests relayed at once; more are asked to come back (design/reliability-security.md §3). */
const MOST_RUNNING = 2000
const OWNED = /^\/(v1|v1beta|pg)(\/|\?|$)/
/** Never open to other sites. */
const PLAYGROUND = /^\/pg(\/|$)/
const MODEL = /^\/v1\/models\/(.+)$/

/** Builds the relay routes: CORS for keys (never with credentials), the relayed paths, the model lists, 501 and 404. */
export function createRoutes(deps: RoutesDeps): RelayRoutes {
  const running = createSlots<Waiting>()
  let draining = false
  let idle: (() => void) | undefined

  const handle = async (request: IncomingMessage, response: ServerResponse, edge: Edge) => {
    const waiting = new Waiting()
    const arrival = arrivalOf(request, response, edge, waiting, deps.clock)
    if (request.method === 'OPTIONS') return preflight(arrival)
    if (running.size >= MOST_RUNNING)
      return tell(arrival, refuse('unavailable', 'relay.overloaded', {}, { retryAfterSeconds: 1 }))
    if (draining) return tell(arrival, refuse('unavailable', 'relay.stopping', {}, { retryAfterSeconds: 5 }))
    const done = running.add(waiting)
    response.once('close', () => {
      done()
      if (!response.writableFinished) waiting.end()
      if (running.size === 0) idle?.()
    })
    await dispatch(deps, arrival, edge)
  }
  return {
    owns: (url) => OWNED.test(url),
    handle,
    get active() {
      return running.size
    },
    async drain(waitMs) {
      draining = true
      if (running.size === 0) return
      const quiet = new Promise<void>((resolve) => {
        idle = resolve
      })
      await Promise.race([quiet, delay(waitMs)])
      deps.relay.sweep.stopAll()
      await Promise.race([quiet, delay(500)])
      for (const request of running.values()) request.end()
      await Promise.race([quiet, delay(1000)])
    },
  }
}

async function dispatch(deps: RoutesDeps, arrival: Arrival, { session }: Edge): Promise<void> {
  try {
    const found = routeFor(arrival.method, arrival.path)
    if (found) {
      const identify = async () =>
        found.route.playground ? { caller: await session(), suffix: null } : keyAsker(deps, arrival)
      return await relay(deps.relay, arrival, found.route, found.model, identify)
    }
    if (arrival.method === 'GET' && (arrival.path === '/v1/models' || MODEL.test(arrival.path)))
      return sendModels(deps, arrival)
    if (isUnoffered(arrival.method, arrival.path))
      throw refuse('notImplemented', 'relay.notImplemented', {}, { code: 'api_not_implemented' })
    return notFound(arrival)
  } catch (error) {
    if (!(error instanceof Error && 'kind' in error))
      deps.log.error('relay route failed', { requestId: arrival.requestId, error })
    tell(arrival, error)
  }
}

function keyAsker({ identities }: RoutesDeps, arrival: Arrival): Asker {
  const sent = keyFrom(arrival.request.headers, arrival.path, arrival.query)
  if (!sent) throw refuse('unauthenticated', 'relay.noToken', {}, { code: 'no_api_key' })
  return { caller: identities.byKey(sent.key, arrival.at), suffix: sent.suffix }
}

function sendModels(deps: RoutesDeps, arrival: Arrival): void {
  const { caller } = keyAsker(deps, arrival)
  if (!caller.allows(arrival.ip)) throw refuse('forbidden', 'relay.ipDenied', {}, { code: 'ip_not_allowed' })
  const models = modelsFor(deps.models, caller)
  const style = styleOf(arrival.request.headers, arrival.path, arrival.query)
  const id = MODEL.exec(arrival.path)?.[1]
  sendJson(arrival, 200, id ? oneModel(models, decoded(id), style) : modelList(models, style))
}

function notFound(arrival: Arrival): void {
  const { method, path, locale } = arrival
  const message = formatMessage(locale, 'relay.notFound', { method, path })
  sendJson(arrival, 404, { error: { message, type: 'invalid_request_error', param: '', code: '' } })
}

const tell = (arrival: Arrival, error: unknown): void =>
  writeError(arrival, shown(error, { requestId: arrival.requestId, locale: arrival.locale }))

function preflight({ response, path, head }: Arrival): void {
  const allowed = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  }
  response.writeHead(204, PLAYGROUND.test(path) ? head : { ...head, ...allowed }).end()
}

function sendJson({ response, head }: Arrival, status: number, body: object): void {
  const bytes = Buffer.from(JSON.stringify(body))
  const headers = { ...head, 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length }
  response.writeHead(status, headers).end(bytes)
}

/** The request's id, and for keys (never for sessions) leave to be called from any site, without credentials. */
function headFor(requestId: string, path: string): Record<string, string> {
  const ids = { 'x-request-id': requestId, 'x-oneapi-request-id': requestId }
  return PLAYGROUND.test(path) ? ids : { ...ids, 'access-control-allow-origin': '*' }
}

function arrivalOf(
  request: IncomingMessage,
  response: ServerResponse,
  edge: Edge,
  patience: Patience,
  clock: Clock,
): Arrival {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return {
    request,
    response,
    requestId: edge.requestId,
    head: headFor(edge.requestId, path),
    method: request.method ?? 'GET',
    path: path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    ip: edge.ip,
    locale: relayLocale(request.headers['accept-language']),
    userAgent: request.headers['user-agent'] ?? '',
    at: unixSeconds(clock),
    startedMs: clock.monotonic(),
    patience,
  }
}

/** SDKs send no language or `*`: they are answered in English, the language of the dialect itself. */
export const relayLocale = (header: string | undefined): Locale => (header === undefined ? 'en' : localeFrom(header))

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
