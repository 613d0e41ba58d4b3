import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import type { Context } from 'koa'
import { formatMessage } from '../../shared/messages/format.ts'
import type { Clock } from '../base/clock.ts'
import { requestId as newId } from '../base/ids.ts'
import { clientAddress, type Ranges } from '../limits/client-address.ts'
import type { HttpRates } from '../limits/http-rate.ts'
import type { Caller } from '../relay/identify.ts'
import { type RelayRoutes, relayLocale } from '../relay/routes.ts'
import { answerOn } from '../relay/sockets/visit.ts'
import type { HostGuard } from './middleware/host.ts'
import { originOf } from './middleware/origin.ts'

export type FrontDeps = Readonly<{
  /** The console's API and files; it answers what is not relayed. */
  app: Koa
  hosts: HostGuard
  routes: RelayRoutes
  playground: (ctx: Context) => Promise<Caller>
  rates: Pick<HttpRates, 'api'>
  isTrustedProxy: Ranges
  clock: Clock
}>

/** What the HTTP server hands its requests to, and those that ask to become a WebSocket. */
export type Front = Readonly<{
  handler: RequestListener
  upgrade: (request: IncomingMessage, wire: Duplex, head: Buffer) => void
}>

/** Relayed paths whose calls count as the console's do (spec/relay.md §1.1). */
const COUNTED = /^(\/v1)?\/dashboard\//

/**
 * The first thing every request meets: its id, the Host allow-list, and, before Koa, sessions, parsers and files, the
 * relay (design/performance.md §4.4, docs/decisions "the relay answers before Koa").
 */
export function createFront({ app, hosts, routes, playground, rates, isTrustedProxy, clock }: FrontDeps): Front {
  const others = app.callback()
  const handler: RequestListener = (request, response) => {
    const id = newId(clock.now())
    if (!hosts.isKnown(request.headers.host)) return misdirected(request, response, id)
    if (!routes.owns(request.url ?? '/')) {
      response.setHeader('x-request-id', id)
      response.setHeader('x-oneapi-request-id', id)
      return void others(request, response)
    }
    const ip = addressOf(request, isTrustedProxy)
    const session = () => playground(app.createContext(request, response))
    const waitSeconds = COUNTED.test(request.url ?? '/')
      ? rates.api(originOf(app.createContext(request, response), isTrustedProxy))
      : 0
    // `handle` answers whatever goes wrong; should it fail all the same, this caller is let go and nobody else.
    routes.handle(request, response, { requestId: id, ip, waitSeconds, session }).catch(() => response.destroy())
  }
  const upgrade = (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    const requestId = newId(clock.now())
    if (!hosts.isKnown(request.headers.host)) return misdirected(request, answerOn(request, wire), requestId)
    const ip = addressOf(request, isTrustedProxy)
    routes.upgrade(request, wire, head, { requestId, ip }).catch(() => wire.destroy())
  }
  return { handler, upgrade }
}

/** The caller's address; forwarded ones count where the proxy is trusted. */
function addressOf({ headers, socket }: IncomingMessage, isTrustedProxy: Ranges): string {
  const { 'x-forwarded-for': forwarded } = headers
  const hops = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return clientAddress(socket.remoteAddress ?? '', hops, isTrustedProxy)
}

/** A Host this gateway does not answer to, told in the language of the relay. */
function misdirected(
  { headers: { 'accept-language': wish } }: IncomingMessage,
  response: ServerResponse,
  id: string,
): void {
  const message = formatMessage(relayLocale(wish), 'relay.misdirected')
  const error = { message, type: 'invalid_request_error', param: '', code: 'misdirected_request' }
  const body = JSON.stringify({ error })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id }
  response.writeHead(421, { ...headers, 'x-oneapi-request-id': id }).end(body)
}
