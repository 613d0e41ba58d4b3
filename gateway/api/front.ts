import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type Koa from 'koa'
import type { Context } from 'koa'
import type { MessageKey } from '../../shared/messages/en.ts'
import { formatMessage, relayLocale } from '../../shared/messages/format.ts'
import type { Clock } from '../base/clock.ts'
import { requestId as newId } from '../base/ids.ts'
import type { Logger } from '../base/log/logger.ts'
import { createRareWarning } from '../base/log/rare-warning.ts'
import type { BodyPace } from '../limits/body-pace.ts'
import { isAnswering } from '../limits/broken-requests.ts'
import { clientAddress, type Ranges } from '../limits/client-address.ts'
import type { HttpRates } from '../limits/http-rate.ts'
import type { Caller } from '../relay/model/caller.ts'
import type { RelayRoutes } from '../relay/routes.ts'
import { answerOn } from '../relay/websockets/upgrade.ts'
import type { HostGuard } from './middleware/host.ts'
import { originOf } from './middleware/origin.ts'
import { createProbes } from './probes.ts'

type FrontDeps = Readonly<{
  app: Koa
  hosts: Pick<HostGuard, 'isKnown'>
  routes: RelayRoutes
  playground: (ctx: Context) => Promise<Caller>
  rates: Pick<HttpRates, 'api'>
  isTrustedProxy: Ranges
  pace: Pick<BodyPace, 'watch'>
  /** Whether a balancer may send requests. */
  isReady: () => boolean
  clock: Clock
  log: Pick<Logger, 'error' | 'warn'>
}>

export type Front = Readonly<{
  handler: RequestListener
  /** Handles requests that wait for `100 Continue`, which is sent when their body is read. */
  expecting: RequestListener
  upgrade: (request: IncomingMessage, wire: Duplex, head: Buffer) => void
}>

/** Relayed paths that count toward the console's rate limits (docs/reference/limits.md#console-rates). */
const COUNTED = /^((\/v1)?\/dashboard\/|(\/[\w-]{1,40})?\/mj\/notify\/?(\?|$))/

/**
 * The first handler of every request: an error listener for its connection, its id, the Host allow-list, and the relay,
 * which runs before Koa, sessions, parsers and files (docs/reference/performance.md#the-relays-path, docs/decisions
 * "the relay answers before Koa").
 */
export function createFront(deps: FrontDeps): Front {
  const { app, hosts, routes, playground, rates, isTrustedProxy, pace, clock, log } = deps
  const consoleHandler = app.callback()
  const warnRarely = createRareWarning({ log, clock })
  const warnOfHop: WarnOfHop = (hop, proxy) =>
    warnRarely('a trusted proxy has sent a hop that cannot be read', { hop: hop.slice(0, MAX_HOP), proxy })
  const probe = createProbes(deps.isReady)
  const answer = (request: IncomingMessage, response: ServerResponse, id: string) => {
    pace.watch(request, response)
    if (probe(request, response)) return
    shortenPreferences(request)
    if (!hosts.isKnown(request.headers.host)) return refused(request, response, id, misdirected)
    if (request.method === 'TRACE') return refused(request, response, id, noSuchMethod)
    if (hasTwoHosts(request)) return refused(request, response, id, twoHosts)
    if (!isPlain(request)) return refused(request, response, id, badTarget)
    // For calls to the console too: their origin is determined again later, without a warning.
    const ip = addressOf(request, isTrustedProxy, warnOfHop)
    if (!routes.owns(request.url ?? '/')) {
      response.setHeader('x-request-id', id)
      response.setHeader('x-oneapi-request-id', id)
      return consoleHandler(request, response)
    }
    const session = () => playground(app.createContext(request, response))
    const waitSeconds = COUNTED.test(request.url ?? '/')
      ? rates.api(originOf(app.createContext(request, response), isTrustedProxy))
      : 0
    if (!(waitSeconds instanceof Promise))
      return routes.handle(request, response, { requestId: id, ip, waitSeconds, session })
    return waitSeconds.then((wait) =>
      routes.handle(request, response, { requestId: id, ip, waitSeconds: wait, session }),
    )
  }
  const fail = (requestId: string, error: unknown, wire: Readonly<{ destroy(): unknown }>) => {
    log.error('a request could not be answered', { requestId, error })
    wire.destroy()
  }
  const handler: RequestListener = async (request, response) => {
    response.on('error', ignore)
    // The connection ends after a response that is already sent: no further request is handled (RFC 9112 §9.6).
    if (request.socket.writableEnded) return
    const id = newId(clock.now())
    // Errors are handled further in; if that fails too, only this caller is disconnected.
    try {
      await answer(request, response, id)
    } catch (error) {
      fail(id, error, response)
    }
  }
  const expecting: RequestListener = (request, response) => {
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    return handler(request, response)
  }
  const upgrade = async (request: IncomingMessage, wire: Duplex, head: Buffer) => {
    wire.on('error', ignore)
    // A response is still being sent on the connection, or has ended it: neither another response nor a socket is
    // possible.
    if (isAnswering(wire) || wire.writableEnded) return void wire.destroy()
    const requestId = newId(clock.now())
    shortenPreferences(request)
    try {
      if (!hosts.isKnown(request.headers.host)) return refused(request, answerOn(request, wire), requestId, misdirected)
      if (hasTwoHosts(request)) return refused(request, answerOn(request, wire), requestId, twoHosts)
      if (!isPlain(request)) return refused(request, answerOn(request, wire), requestId, badTarget)
      const ip = addressOf(request, isTrustedProxy, warnOfHop)
      await routes.upgrade(request, wire, head, { requestId, ip })
    } catch (error) {
      fail(requestId, error, wire)
    }
  }
  return { handler, expecting, upgrade }
}

const ignore = () => {}

/** A single Host decides where a request belongs; Node keeps the first of several (RFC 9112 §3.2). */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

/** Max characters of a list of preferences. Browsers send about 60; a list of thousands takes milliseconds to read. */
const MAX_PREFERENCES = 256

/** Cuts lists of preferences, which are read before a caller is known. */
function shortenPreferences({ headers }: IncomingMessage): void {
  for (const name of ['accept', 'accept-encoding', 'accept-language'] as const) {
    const text = headers[name]
    if (text !== undefined && text.length > MAX_PREFERENCES) headers[name] = text.slice(0, MAX_PREFERENCES)
  }
}

type WarnOfHop = NonNullable<Parameters<typeof clientAddress>[3]>
const MAX_HOP = 64

/** The caller's address; forwarded addresses are accepted only from trusted proxies. */
function addressOf({ headers, socket }: IncomingMessage, isTrustedProxy: Ranges, warn: WarnOfHop): string {
  const { 'x-forwarded-for': forwarded } = headers
  const hops = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return clientAddress(socket.remoteAddress ?? '', hops, isTrustedProxy, warn)
}

/** Only proxies get absolute URLs, and only `OPTIONS` gets `*`; here, a target is a path (RFC 9112 §3.2.1). */
const isPlain = ({ url }: IncomingMessage): boolean => url?.startsWith('/') === true

type Refusal = Readonly<{ status: number; code: string; key: MessageKey }>

const misdirected = { status: 421, code: 'misdirected_request', key: 'relay.misdirected' } as const
const twoHosts = { status: 400, code: 'several_hosts', key: 'relay.severalHosts' } as const
const badTarget = { status: 400, code: 'invalid_target', key: 'relay.badTarget' } as const
const noSuchMethod = { status: 405, code: 'method_not_allowed', key: 'relay.methodRefused' } as const

function refused(
  { headers: { 'accept-language': acceptLanguage } }: IncomingMessage,
  response: ServerResponse,
  id: string,
  { status, code, key }: Refusal,
): void {
  const message = formatMessage(relayLocale(acceptLanguage), key)
  const error = { message, type: 'invalid_request_error', param: '', code }
  const body = JSON.stringify({ error })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', 'x-request-id': id }
  response.writeHead(status, { ...headers, 'x-oneapi-request-id': id }).end(body)
}
