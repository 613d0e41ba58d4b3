import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { type Locale, localeFrom } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { workFor } from '../base/fair-yield.ts'
import type { Logger } from '../base/log/logger.ts'
import { type MaybePromise, whenKnown } from '../base/maybe-promise.ts'
import { createSlots, type Slots } from '../base/slots.ts'
import { createRequestLimits, type RequestBounds, type RequestLimits } from '../limits/request-limits.ts'
import type { Db } from '../store/sqlite/database.ts'
import { createClientSecrets } from './admission/client-secrets.ts'
import { askerBy } from './admission/credentials.ts'
import type { Devices } from './admission/devices.ts'
import type { Identities } from './admission/identify.ts'
import { answerAuxiliary, auxiliaryFor } from './auxiliary/auxiliary.ts'
import type { AuxiliaryDeps } from './auxiliary/auxiliary-deps.ts'
import type { ModelsDeps } from './auxiliary/model-list.ts'
import { sendError } from './auxiliary/reply.ts'
import type { Format } from './formats/format.ts'
import { intendedPath, isBareRelayPath } from './intake/intended-path.ts'
import { dialectOf, routeFor, unofferedBecause } from './intake/relay-routes.ts'
import type { Asker, Caller } from './model/caller.ts'
import { type Cancellation, CancellationSource } from './model/cancellation.ts'
import type { Owner, RequestContext } from './model/request-context.ts'
import { type RelayDeps, relay } from './relay.ts'
import type { TaskDeps } from './tasks/task-deps.ts'
import { answerTask, taskShapeOf } from './tasks/task-routes.ts'
import { answerOn } from './websockets/upgrade.ts'
import { createSockets, type Sockets } from './websockets/websockets.ts'

type RoutesDeps = Readonly<{
  relay: RelayDeps
  tasks: TaskDeps
  models: ModelsDeps
  db: Db
  identities: Identities
  devices: Pick<Devices, 'note'>
  bounds: RequestBounds
  clock: Clock
  log: Logger
}>

/** A request's id, and the address it came from. */
type RequestSource = Readonly<{ requestId: string; ip: string }>

/** What the HTTP edge knows of a request before it is relayed; `session` finds (or refuses) the signed-in account behind it. */
export type Edge = RequestSource &
  Readonly<{
    /** How long the caller's network is to wait, on the paths whose calls are counted by network; 0 on all others. */
    waitSeconds: number
    session: () => Promise<Caller>
    /** Who asks, where that is known without a key: a call of the gateway to itself. */
    asker?: Asker
  }>

/** The relay's side of the gateway. `drain` refuses new requests and waits for the running ones, until `hurry` at most. */
export interface RelayRoutes {
  /** Whether a request URL (path and query) is the relay's to answer. */
  owns(url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse, edge: Edge): Promise<void> | void
  /** Takes a request that asks to become a WebSocket, with what came after its head. */
  upgrade(request: IncomingMessage, wire: Duplex, head: Buffer, edge: RequestSource): Promise<void>
  readonly active: number
  /**
   * Ends what runs for an account that may no longer call: streams with an error event and charged for what was delivered,
   * what has no answer yet with the refusal. Called once an account was changed; one that is active goes on.
   */
  recheck(userId: number): MaybePromise<void>
  /** Ends what runs by a key that is no more, alike; called once the key was refused to who comes. */
  endOf(tokenId: number): void
  /** Refuses new requests until told otherwise; what runs goes on. */
  pause(isOn: boolean): void
  isPaused(): boolean
  drain(waitMs: number, hurry: Promise<void>): Promise<void>
  /** Ends the timer behind the sockets, after `drain`. */
  close(): void
}

const OWNED = /^\/((v1|v2|v1beta|upload\/v1beta|pg|mj|suno)(\/|\?|$)|dashboard\/billing\/|(?!api\/)[\w-]{1,40}\/mj\/)/
/** Never open to other sites. */
const PLAYGROUND = /^\/pg(\/|$)/

/**
 * Builds the relay routes: CORS for keys (never with credentials), the relayed paths, and what is answered beside
 * them. Who asks is known by the headers alone; from then on a request counts in the shares of its account and its
 * key, before its body is waited for. More than there are slots in all are asked to come back
 * (docs/reference/limits.md#concurrent-requests).
 */
export function createRoutes(deps: RoutesDeps): RelayRoutes {
  const requests = createSlots<ActiveRequest>()
  const limits = createRequestLimits(deps.bounds)
  const clientSecrets = createClientSecrets(deps.clock)
  const maxActive = deps.bounds.all || Number.POSITIVE_INFINITY
  let gate: Gate = 'open'
  let idle: (() => void) | undefined

  const handle = (request: IncomingMessage, response: ServerResponse, edge: Edge): Promise<void> | void => {
    const waiting = new CancellationSource()
    const owner = new RequestOwner()
    const context = contextOf(request, response, edge, { waiting, owner }, deps.clock)
    if (request.method === 'OPTIONS') return preflight(context)
    const refusal = refusals[requests.size >= maxActive ? 'full' : gate]
    if (refusal) return sendError(meant(context), refuse('unavailable', refusal.says, {}, refusal))
    const slot = new ActiveRequest(context, waiting, limits, deps.devices)
    const done = requests.add(slot)
    const leave = () => {
      done()
      slot.leave()
      owner.close()
      if (requests.size === 0) idle?.()
    }
    return untilOver(slot, response, () => dispatch({ ...deps, clientSecrets }, context, edge, slot), leave)
  }
  const sockets = createSockets({
    relay: deps.relay,
    identify: (context) => noted(deps.devices, context, askerBy(deps.identities, context)),
    byHash: deps.identities.byHash,
    clientSecrets,
    answer: async (request, response, { context: { ip }, requestId }) =>
      handle(request, response, { requestId, ip, waitSeconds: 0, session: unsigned }),
  })
  return {
    owns: (url) => OWNED.test(url) || isBareRelayPath(url),
    handle,
    async upgrade(request, wire, head, edge) {
      if (gate === 'paused')
        return handle(request, answerOn(request, wire), { ...edge, waitSeconds: 0, session: unsigned })
      return sockets.upgrade(wire, head, (waiting) =>
        contextOf(request, answerOn(request, wire), edge, { waiting, owner: wire }, deps.clock),
      )
    },
    pause(isOn) {
      if (gate !== 'draining') gate = isOn ? 'paused' : 'open'
    },
    isPaused: () => gate === 'paused',
    get active() {
      return requests.size + sockets.size
    },
    ...endings(deps, requests, sockets),
    async drain(waitMs, hurry) {
      gate = 'draining'
      const answered = new Promise<void>((resolve) => {
        idle = resolve
        if (requests.size === 0) resolve()
      })
      const quiet = Promise.all([answered, sockets.part('shutdown')])
      await Promise.race([quiet, delay(waitMs), hurry])
      deps.relay.supervisor.stopAll()
      await Promise.race([quiet, delay(500)])
      for (const { waiting } of requests.values()) waiting.end()
      void sockets.part('immediate')
      await Promise.race([quiet, delay(1000)])
    },
    close: sockets.close,
  }
}

/** Answers a request, and leaves it: where its caller has hung up, only once nothing works for it any more. */
function untilOver(
  { waiting }: ActiveRequest,
  response: ServerResponse,
  answer: () => Promise<void> | void,
  leave: () => void,
): Promise<void> | void {
  let answering: Promise<void> | void
  response.once('close', () => {
    if (!response.writableFinished) waiting.leave()
    if (waiting.over && answering) void answering.then(leave)
    else leave()
  })
  answering = answer()
  return answering
}

/** How what runs ends because its caller may call no more. */
const endings = (
  { identities, relay: { supervisor } }: Pick<RoutesDeps, 'identities' | 'relay'>,
  requests: Slots<ActiveRequest>,
  sockets: Pick<Sockets, 'recheck'>,
): Pick<RelayRoutes, 'recheck' | 'endOf'> => ({
  recheck(userId) {
    if (!requests.values().some((slot) => slot.isOf(userId))) return undefined
    return whenKnown(identities.account(userId), (account) => {
      if (account) return
      supervisor.stopOf(userId)
      for (const slot of requests.values()) if (slot.isOf(userId)) slot.refuse(banned())
    })
  },
  endOf(tokenId) {
    supervisor.stopOfToken(tokenId)
    for (const slot of requests.values()) if (slot.isBy(tokenId)) slot.refuse(disabled())
    sockets.recheck()
  },
})

/** Whether new requests come in; from draining there is no way back. */
type Gate = 'open' | 'paused' | 'draining'

const refusals = {
  open: undefined,
  full: { says: 'relay.overloaded', retryAfterSeconds: 1 },
  draining: { says: 'relay.stopping', retryAfterSeconds: 5 },
  paused: { says: 'relay.paused', retryAfterSeconds: 60 },
} as const

/** The turns of a socket have a key; nobody is signed in there. */
const unsigned = (): Promise<Caller> => Promise.reject(refuse('unauthenticated', 'relay.noToken'))

/** Tells whose memory is taken for a request that nothing is done for it any more. */
class RequestOwner implements Owner {
  closed = false
  readonly #listeners: (() => void)[] = []

  once(_: 'close', listener: () => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.closed = true
    for (const listener of this.#listeners) listener()
  }
}

/** A request that holds a slot, and from when its caller is known also a place in that one's shares. */
class ActiveRequest {
  readonly waiting: CancellationSource
  readonly #context: RequestContext
  readonly #limits: RequestLimits
  readonly #devices: Pick<Devices, 'note'>
  #holder: Caller | undefined
  #hasLeft = false

  constructor(
    context: RequestContext,
    waiting: CancellationSource,
    limits: RequestLimits,
    devices: Pick<Devices, 'note'>,
  ) {
    this.#context = context
    this.waiting = waiting
    this.#limits = limits
    this.#devices = devices
  }

  /** Counts the request as this caller's, once; one that has left meanwhile takes no place. Throws a refusal where it has too many. */
  by<A extends Readonly<{ caller: Caller }>>(asker: A): A {
    if (this.#holder || this.#hasLeft) return asker
    this.#limits.enter(asker.caller)
    workFor(asker.caller.account.id)
    this.#holder = asker.caller
    this.#devices.note(this.#context, asker.caller)
    return asker
  }

  isOf(userId: number): boolean {
    return this.#holder?.account.id === userId
  }

  isBy(tokenId: number): boolean {
    return this.#holder?.tokenId === tokenId
  }

  /** Nothing more is asked for whoever may no longer call; who has no answer yet is told why there is none. */
  refuse(why: GatewayError): void {
    if (!this.#context.response.headersSent) sendError(meant(this.#context), why)
    this.waiting.end()
  }

  leave(): void {
    this.#hasLeft = true
    if (this.#holder) this.#limits.leave(this.#holder)
    this.#holder = undefined
  }
}

/** A socket is a call from a device as well. */
const noted = (devices: Pick<Devices, 'note'>, context: RequestContext, found: MaybePromise<Asker>) =>
  whenKnown(found, (asker) => {
    devices.note(context, asker.caller)
    workFor(asker.caller.account.id)
    return asker
  })

const disabled = () => refuse('unauthenticated', 'relay.tokenDisabled', {}, { code: 'token_disabled' })

const banned = () => refuse('forbidden', 'relay.userBanned', {}, { code: 'user_banned' })

/** A relayed call, or what is answered beside them; neither throws. */
function dispatch(
  deps: RoutesDeps & Pick<AuxiliaryDeps, 'clientSecrets'>,
  context: RequestContext,
  edge: Edge,
  slot: ActiveRequest,
): Promise<void> | void {
  const { identities } = deps
  const { session, waitSeconds } = edge
  if (waitSeconds > 0) return sendError(context, refuse('limited', 'http.429', {}, { retryAfterSeconds: waitSeconds }))
  if (context.errorsAs) return answerTask(deps.tasks, context, () => counted(askerBy(identities, context), slot))
  const found = routeFor(context.method, context.path)
  if (!found) {
    const auxiliary = auxiliaryFor(context)
    const intended = auxiliary ? undefined : asIntended(context)
    if (intended) return dispatch(deps, intended, edge, slot)
    const identify = (asked: RequestContext) => counted(askerBy(identities, asked), slot)
    return answerAuxiliary({ ...deps, identify }, context, auxiliary)
  }
  const { asker } = edge
  if (asker) return relay(deps.relay, context, found, () => slot.by(asker))
  const identify = () =>
    found.route.playground
      ? session().then((caller) => slot.by({ caller, suffix: null }))
      : counted(askerBy(identities, context), slot)
  return relay(deps.relay, context, found, identify)
}

/** The request in whose dialect one that is not looked at any further is refused. */
const meant = (context: RequestContext): RequestContext => asIntended(context) ?? context

/** The request at the path it was meant for, where something is there (docs/reference/endpoints.md#other-paths). */
function asIntended(context: RequestContext): RequestContext | undefined {
  const { method, requestId } = context
  const path = intendedPath(context.path)
  if (path === undefined) return undefined
  const isThere = routeFor(method, path) || auxiliaryFor({ method, path }) || unofferedBecause(method, path)
  if (!isThere) return undefined
  const format = dialectOf(path)
  return { ...context, path, format, head: headFor(requestId, path, format) }
}

const counted = (asker: MaybePromise<Asker>, slot: ActiveRequest): MaybePromise<Asker> =>
  asker instanceof Promise ? asker.then((found) => slot.by(found)) : slot.by(asker)

function preflight({ response, path, head }: RequestContext): void {
  const allowed = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  }
  response.writeHead(204, PLAYGROUND.test(path) ? head : { ...head, ...allowed }).end()
}

/** What a vendor says runs in no browser: it would in the console's own origin. */
const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" } as const

/** The request's id under every name clients look for, and for keys (never for sessions) leave to be called from any site, without credentials. */
function headFor(requestId: string, path: string, format: Format): Record<string, string> {
  const ids = { 'x-request-id': requestId, 'x-oneapi-request-id': requestId }
  if (PLAYGROUND.test(path)) return { ...ids, ...INERT }
  const open = { ...ids, ...INERT, 'access-control-allow-origin': '*' }
  return format === 'anthropic' ? { ...open, 'request-id': requestId } : open
}

function contextOf(
  request: IncomingMessage,
  response: ServerResponse,
  edge: RequestSource,
  { waiting: cancellation, owner }: Readonly<{ waiting: Cancellation; owner: Owner }>,
  clock: Clock,
): RequestContext {
  const url = request.url ?? '/'
  const mark = url.indexOf('?')
  const whole = mark < 0 ? url : url.slice(0, mark)
  const path = whole.length > 1 && whole.endsWith('/') ? whole.slice(0, -1) : whole
  const format = dialectOf(path)
  const context = {
    request,
    response,
    requestId: edge.requestId,
    head: headFor(edge.requestId, path, format),
    method: request.method ?? 'GET',
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    format,
    ip: edge.ip,
    locale: relayLocale(request.headers['accept-language']),
    userAgent: request.headers['user-agent'] ?? '',
    at: unixSeconds(clock),
    startedMs: clock.monotonic(),
    cancellation,
    owner,
  }
  const errorsAs = taskShapeOf(path)
  return errorsAs ? { ...context, errorsAs } : context
}

/** SDKs send no language or `*`: they are answered in English, the language of the dialect itself. */
export const relayLocale = (header: string | undefined): Locale => (header === undefined ? 'en' : localeFrom(header))

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
