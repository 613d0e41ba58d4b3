import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { relayLocale } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { type GatewayError, refuse } from '../base/errors.ts'
import { workFor } from '../base/fair-yield.ts'
import type { Logger } from '../base/log/logger.ts'
import { type MaybePromise, whenKnown } from '../base/maybe-promise.ts'
import { createSlots, type Slots } from '../base/slots.ts'
import { createRequestLimits, type RequestBounds, type RequestLimits } from '../limits/request-limits.ts'
import type { Db } from '../store/sqlite/database.ts'
import { createClientSecrets } from './admission/client-secrets.ts'
import { requesterOf } from './admission/credentials.ts'
import type { Devices } from './admission/devices.ts'
import type { Identities } from './admission/identify.ts'
import { answerAuxiliary, auxiliaryFor } from './auxiliary/auxiliary.ts'
import type { AuxiliaryDeps, ModelsDeps } from './auxiliary/auxiliary-deps.ts'
import { sendError } from './auxiliary/reply.ts'
import type { Format } from './formats/format.ts'
import { intendedPath, isBareRelayPath } from './intake/intended-path.ts'
import { dialectOf, routeFor, unofferedBecause } from './intake/relay-routes.ts'
import type { Caller, Requester } from './model/caller.ts'
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

type RequestSource = Readonly<{ requestId: string; ip: string }>

/** What the HTTP layer knows of a request; `session` returns the logged-in account, or rejects. */
type Edge = RequestSource &
  Readonly<{
    /** Seconds that the caller's network must wait, on paths limited by network; else 0. */
    waitSeconds: number
    session: () => Promise<Caller>
    /** The caller, if known without a key: the gateway's requests to itself. */
    requester?: Requester
  }>

/** `drain` refuses new requests and waits for active ones, until `waitMs` or `hurry`; then it ends the rest. */
export interface RelayRoutes {
  /** Whether the relay handles a request URL (path and query). */
  owns(url: string): boolean
  handle(request: IncomingMessage, response: ServerResponse, edge: Edge): Promise<void> | void
  /** Upgrades a request to a WebSocket; `head` holds the bytes after its headers. */
  upgrade(request: IncomingMessage, wire: Duplex, head: Buffer, edge: RequestSource): Promise<void>
  readonly active: number
  /**
   * Aborts the requests of an account that is no longer active: streams get an error event and are charged for what was
   * delivered, unanswered requests get the refusal. Call it after each change of an account.
   */
  recheck(userId: number): MaybePromise<void>
  /** The callers of the active requests. */
  callers(): readonly Caller[]
  /** Refuses the unanswered requests of a revoked key and ends its streams; call it once the key is refused. */
  endOf(tokenId: number): void
  /** While paused, new requests are refused and active ones continue. */
  pause(isOn: boolean): void
  isPaused(): boolean
  drain(waitMs: number, hurry: Promise<void>): Promise<void>
  /** Stops the timer of the sockets; call it after `drain`. */
  close(): void
}

const OWNED = /^\/((v1|v2|v1beta|upload\/v1beta|pg|mj|suno)(\/|\?|$)|dashboard\/billing\/|(?!api\/)[\w-]{1,40}\/mj\/)/
/** Paths of the playground, which is not available to other origins. */
const PLAYGROUND = /^\/pg(\/|$)/

/**
 * Serves CORS (for keys, never with credentials), the relayed paths, tasks and the auxiliary endpoints. A request
 * counts toward the limits of its account and key before its body is read. With all slots taken, a request is refused
 * with a retry time (docs/reference/limits.md#concurrent-requests).
 */
export function createRoutes(deps: RoutesDeps): RelayRoutes {
  const requests = createSlots<ActiveRequest>()
  const limits = createRequestLimits(deps.bounds)
  const clientSecrets = createClientSecrets(deps.clock)
  const maxActive = deps.bounds.all || Number.POSITIVE_INFINITY
  let gate: Gate = 'open'
  let idle: (() => void) | undefined

  const handle = (request: IncomingMessage, response: ServerResponse, edge: Edge): Promise<void> | void => {
    // The caller has hung up while another node counted its rate: a slot would wait for an event that is over.
    if (response.closed) return
    const waiting = new CancellationSource()
    const owner = new RequestOwner()
    const context = contextOf(request, response, edge, { waiting, owner }, deps.clock)
    if (request.method === 'OPTIONS') return preflight(context)
    const refusal = refusals[requests.size >= maxActive ? 'full' : gate]
    if (refusal) return sendError(intendedOr(context), refuse('unavailable', refusal.says, {}, refusal))
    const slot = new ActiveRequest(context, waiting, limits, deps.devices)
    const done = requests.add(slot)
    const leave = () => {
      done()
      slot.leave()
      owner.close()
      if (requests.size === 0) idle?.()
    }
    return leaveWhenDone(slot, response, () => dispatch({ ...deps, clientSecrets }, context, edge, slot), leave)
  }
  const sockets = createSockets({
    relay: deps.relay,
    identify: (context) => recordDevice(deps.devices, context, requesterOf(deps.identities, context)),
    byHash: deps.identities.byHash,
    clientSecrets,
    answer: async (request, response, { context: { ip }, requestId }) =>
      handle(request, response, { requestId, ip, waitSeconds: 0, session: rejectSession }),
  })
  return {
    owns: (url) => OWNED.test(url) || isBareRelayPath(url),
    handle,
    async upgrade(request, wire, head, edge) {
      if (gate === 'paused')
        return handle(request, answerOn(request, wire), { ...edge, waitSeconds: 0, session: rejectSession })
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

/** Handles a request and calls `leave` at its end; if the caller has hung up, only once no work for it is left. */
function leaveWhenDone(
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
  // An upstream call that nothing reads any more, such as after an error, would stay open.
  answering = answer()?.then(() => waiting.end())
  return answering
}

const endings = (
  { identities, relay: { supervisor } }: Pick<RoutesDeps, 'identities' | 'relay'>,
  requests: Slots<ActiveRequest>,
  sockets: Pick<Sockets, 'recheck'>,
): Pick<RelayRoutes, 'callers' | 'recheck' | 'endOf'> => ({
  callers: () => requests.values().flatMap((slot) => slot.caller() ?? []),
  recheck(userId) {
    if (!requests.values().some((slot) => slot.caller()?.account.id === userId)) return undefined
    return whenKnown(identities.account(userId), (account) => {
      if (account) return
      supervisor.stopOf(userId)
      for (const slot of requests.values()) if (slot.caller()?.account.id === userId) slot.abort(banned())
    })
  },
  endOf(tokenId) {
    supervisor.dismissToken(tokenId)
    for (const slot of requests.values()) if (slot.caller()?.tokenId === tokenId) slot.dismiss(disabled())
    sockets.recheck()
  },
})

/** `draining` is final. */
type Gate = 'open' | 'paused' | 'draining'

const refusals = {
  open: undefined,
  full: { says: 'relay.overloaded', retryAfterSeconds: 1 },
  draining: { says: 'relay.stopping', retryAfterSeconds: 5 },
  paused: { says: 'relay.paused', retryAfterSeconds: 60 },
} as const

/** A request inside a socket authenticates by key; it has no session. */
const rejectSession = (): Promise<Caller> => Promise.reject(refuse('unauthenticated', 'relay.noToken'))

/** The owner of a request's memory: notifies its listeners once the request has ended. */
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

/** A request that occupies a slot; counts toward the limits of its caller once the caller is known. */
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

  /**
   * Counts the request for its caller, once; a request that has ended meanwhile is not counted. Throws if the caller
   * has too many active requests.
   */
  by<A extends Readonly<{ caller: Caller }>>(requester: A): A {
    if (this.#holder || this.#hasLeft) return requester
    this.#limits.enter(requester.caller)
    workFor(requester.caller.account.id)
    this.#holder = requester.caller
    this.#devices.note(this.#context, requester.caller)
    return requester
  }

  caller(): Caller | undefined {
    return this.#holder
  }

  /** Aborts the request; sends the reason if no response has started. */
  abort(why: GatewayError): void {
    if (!this.#context.response.headersSent) sendError(intendedOr(this.#context), why)
    this.waiting.end()
  }

  /**
   * Refuses a request whose key has become invalid, perhaps because its caller revoked it. One that has reached its
   * upstream continues as if the caller had hung up (docs/reference/billing.md#disconnected-callers); streams are
   * dismissed by their supervisor.
   */
  dismiss(why: GatewayError): void {
    if (this.#context.response.headersSent) return
    sendError(intendedOr(this.#context), why)
    this.waiting.leave()
  }

  leave(): void {
    this.#hasLeft = true
    if (this.#holder) this.#limits.leave(this.#holder)
    this.#holder = undefined
  }
}

const recordDevice = (devices: Pick<Devices, 'note'>, context: RequestContext, found: MaybePromise<Requester>) =>
  whenKnown(found, (requester) => {
    devices.note(context, requester.caller)
    workFor(requester.caller.account.id)
    return requester
  })

const disabled = () => refuse('unauthenticated', 'relay.tokenDisabled', {}, { code: 'token_disabled' })
const banned = () => refuse('forbidden', 'relay.userBanned', {}, { code: 'user_banned' })

/** Never throws. */
function dispatch(
  deps: RoutesDeps & Pick<AuxiliaryDeps, 'clientSecrets'>,
  context: RequestContext,
  edge: Edge,
  slot: ActiveRequest,
): Promise<void> | void {
  const { identities } = deps
  const { session, waitSeconds } = edge
  if (waitSeconds > 0) return sendError(context, refuse('limited', 'http.429', {}, { retryAfterSeconds: waitSeconds }))
  if (context.errorsAs) return answerTask(deps.tasks, context, () => counted(requesterOf(identities, context), slot))
  const found = routeFor(context.method, context.path)
  if (!found) {
    const auxiliary = auxiliaryFor(context)
    const intended = auxiliary ? undefined : asIntended(context)
    if (intended) return dispatch(deps, intended, edge, slot)
    const identify = (requested: RequestContext) => counted(requesterOf(identities, requested), slot)
    return answerAuxiliary({ ...deps, identify }, context, auxiliary)
  }
  const { requester } = edge
  if (requester) return relay(deps.relay, context, found, () => slot.by(requester))
  const identify = () =>
    found.route.playground
      ? session().then((caller) => slot.by({ caller, suffix: null }))
      : counted(requesterOf(identities, context), slot)
  return relay(deps.relay, context, found, identify)
}

/** The context whose dialect is used to refuse a request that is not read further. */
const intendedOr = (context: RequestContext): RequestContext => asIntended(context) ?? context

/** The request at its intended path, if that path exists (docs/reference/endpoints.md#other-paths). */
function asIntended(context: RequestContext): RequestContext | undefined {
  const { method, requestId } = context
  const path = intendedPath(context.path)
  if (path === undefined) return undefined
  const exists = routeFor(method, path) || auxiliaryFor({ method, path }) || unofferedBecause(method, path)
  if (!exists) return undefined
  const format = dialectOf(path)
  return { ...context, path, format, head: headFor(requestId, path, format) }
}

const counted = (requester: MaybePromise<Requester>, slot: ActiveRequest): MaybePromise<Requester> =>
  requester instanceof Promise ? requester.then((found) => slot.by(found)) : slot.by(requester)

function preflight({ response, path, head }: RequestContext): void {
  const allowed = {
    'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
    'access-control-allow-headers': '*, authorization',
    'access-control-max-age': '86400',
  }
  response.writeHead(204, PLAYGROUND.test(path) ? head : { ...head, ...allowed }).end()
}

/** Keeps browsers from running a vendor's response, which would run in the console's origin. */
const INERT = { 'x-content-type-options': 'nosniff', 'content-security-policy': "default-src 'none'; sandbox" } as const

/**
 * The request's id under every name that clients read, and CORS headers without credentials for keys (never for
 * sessions).
 */
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

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref())
