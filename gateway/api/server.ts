import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import compress from 'koa-compress'
import type { Access, ApiCall } from '../../shared/api/call.ts'
import { POLL_HEADER } from '../../shared/api/poll.ts'
import { role } from '../../shared/enums.ts'
import type { Identity } from '../accounts/login/identity.ts'
import type { RecentLogin } from '../accounts/login/recent-login.ts'
import type { Sessions } from '../accounts/login/sessions.ts'
import { refuse } from '../base/errors.ts'
import { workFor, yieldToOthers } from '../base/fair-yield.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Ranges } from '../limits/client-address.ts'
import type { HttpRates } from '../limits/http-rate.ts'
import type { Devices } from '../relay/admission/devices.ts'
import type { Actor } from './actor.ts'
import { createAnswerMemory } from './middleware/answer-memory.ts'
import { isOnlyShown } from './middleware/demo-site.ts'
import { answer, answerDemo, answerError, answerForeign } from './middleware/envelope.ts'
import { answerEvent, type Later } from './middleware/event.ts'
import { answerFile, type FileMade } from './middleware/file.ts'
import { answerNotFound } from './middleware/not-found.ts'
import { originOf, type RequestOrigin } from './middleware/origin.ts'
import { parseRequestOf } from './middleware/parse-request.ts'
import { isMeant, isSameOrigin } from './middleware/same-origin.ts'
import { callerOf, credentialsOf } from './middleware/session.ts'
import { squeeze } from './middleware/squeeze.ts'
import type { Served } from './serve.ts'

export type ApiDeps = Readonly<{
  areas: readonly (readonly Served[])[]
  identity: Identity
  recentLogin: Pick<RecentLogin, 'require'>
  sessions: Sessions
  rates: HttpRates
  isTrustedProxy: Ranges
  /** The gateway's public address; read on each call. */
  serverAddress: () => string
  operatorRole: number
  devices?: Pick<Devices, 'noteSession'>
  /** Whether this is a demo site, where only root may change anything; read on each call. */
  isDemo: () => boolean
  log: Logger
  /** Throws for calls that this listener does not allow, for any caller; all are allowed if absent. */
  guard?: (call: ApiCall) => void
  /** Whether visitors may register through this listener, read on each call; if absent, only the options decide. */
  mayRegister?: () => boolean
  /** Validates every response against its contract; for tests. */
  checkAnswers?: boolean
}>

/**
 * The console's API as one middleware: handles `/api` and everything below, and passes on the rest. Throws if a call
 * has no known access or two calls share a route.
 */
export function createApi(deps: ApiDeps): Middleware {
  const routes = routesOf(deps)
  const memory = createAnswerMemory()
  // Envelopes are compressed already; what remains are files, which are generated as they are sent.
  const compressed = compress({ filter: (type) => /json|csv/.test(type), br: false, zstd: false, deflate: false })
  return async (ctx, next) => {
    if (ctx.path !== '/api' && !ctx.path.startsWith('/api/')) return next()
    return compressed(ctx, async () => {
      const share = memory.shareOf(ctx)
      ctx.state.memory = share
      try {
        await guarded(ctx, routes, deps)
        await squeeze(ctx, share)
      } catch (error) {
        ctx.remove('Content-Encoding')
        answerError(ctx, error, deps.log)
      } finally {
        share.end()
      }
    })
  }
}

function routesOf(deps: ApiDeps): Middleware {
  const router = new Router({ sensitive: true })
  const roles = minRoles(deps.operatorRole)
  const seen = new Set<string>()
  const served = deps.areas.flat().sort((one, other) => compareRoutes(one.call.path, other.call.path))
  for (const one of served) {
    const { access, method, path } = one.call
    const route = `${method} ${path}`
    if (!Object.hasOwn(roles, access)) throw new Error(`no access is declared for ${route}`)
    if (seen.has(route)) throw new Error(`two calls share the route ${route}`)
    seen.add(route)
    router.register(path, [method], (ctx: Context) => run(ctx, one, roles[access], deps))
  }
  return router.routes() as Middleware // the router's context only adds fields to Koa's
}

/** Applies to every call, known or not; contains the error boundary. */
async function guarded(ctx: Context, routes: Middleware, deps: ApiDeps): Promise<void> {
  ctx.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  })
  try {
    const origin = originOf(ctx, deps.isTrustedProxy)
    ctx.state.origin = origin
    const { session: secret } = credentialsOf(ctx, origin.secure)
    const session = secret ? await deps.sessions.find(secret) : undefined
    limit(await deps.rates.api(origin, { isPoll: ctx.get(POLL_HEADER) !== '', session }))
    if (!isSameOrigin(ctx, deps.serverAddress())) return answerForeign(ctx)
    await routes(ctx, async () => answerNotFound(ctx))
  } catch (error) {
    // The client has disconnected.
    if (ctx.req.destroyed && (!ctx.req.complete || isAbort(error))) return
    answerError(ctx, error, deps.log)
  }
}

/** The rejection of a read whose caller has disconnected (`ApiCaller.gone`). */
const isAbort = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError'

/** Handles one call, from authentication to the envelope. */
async function run(ctx: Context, { call, handle }: Served, minRole: number, deps: ApiDeps): Promise<void> {
  const { rates, sessions } = deps
  const origin = ctx.state.origin as RequestOrigin // set by `guarded`, which is the only caller of the router
  ctx.state.call = call
  if (call.hasEffect && !isMeant(ctx)) return answerForeign(ctx)
  if (call.limit && call.limit !== 'per-user') limit(await rates.critical(call.limit, origin))
  const actor = await actorFor(ctx, call, minRole, deps.identity)
  ctx.state.accountId = actor?.id
  if (actor?.via === 'access-token') limit(await rates.account(actor.id))
  if (actor) {
    workFor(actor.id)
    // If many accounts call at once, their calls start one by one, and the accounts take turns.
    await yieldToOthers()
  }
  if (actor) deps.devices?.noteSession({ ip: origin.ip, userAgent: ctx.get('user-agent') }, actor)
  if (call.isInPerson && actor?.via === 'access-token') throw refuse('forbidden', 'auth.in_person')
  if (deps.isDemo() && isOnlyShown(call, actor)) return answerDemo(ctx)
  if (call.needsRecentLogin && actor) await deps.recentLogin.require(actor)
  if (call.limit === 'per-user' && actor) limit(await rates.user(actor.id, `${call.method} ${call.path}`))
  const recheck = async () => {
    const now = await actorFor(ctx, call, minRole, deps.identity)
    if (now?.id !== actor?.id) throw refuse('unauthenticated', 'auth.none')
  }
  const door = { mayRegister: deps.mayRegister?.() ?? true }
  const caller = { ...callerOf(ctx, origin, sessions), accountId: actor?.id ?? 0, door, recheck }
  ctx.state.messageInData = call.messageInData
  const parsedRequest = await parseRequestOf(call, ctx, caller.locale)
  deps.guard?.(call)
  // Reading a body may take long: the caller may have been banned or demoted meanwhile.
  if (call.body) await recheck()
  // `Served` has lost the types of the call; access and contract have just been enforced.
  const returned = await handle({ ...parsedRequest, actor, caller } as Parameters<typeof handle>[0])
  const isChecked = deps.checkAnswers === true
  // `serve` lets a handler of an event call return nothing else.
  if (call.isEvent) return answerEvent(ctx, call, returned as Later<unknown>, isChecked)
  if (call.sendsFile) return answerFile(ctx, returned as FileMade, deps.log)
  answer(ctx, call, returned, isChecked)
}

async function actorFor(ctx: Context, call: ApiCall, minRole: number, identity: Identity): Promise<Actor | undefined> {
  if (call.access === 'public') return undefined
  const { beforeFactors } = call
  const { secure } = ctx.state.origin as RequestOrigin // set by `guarded`, which is the only caller of the router
  const credentials = credentialsOf(ctx, secure)
  if (call.access === 'visitor') return identity.visitor(credentials, { beforeFactors })
  return identity.require(credentials, { minRole, beforeFactors })
}

/** The minimum role of each access; none for `public` and `visitor`. */
const minRoles = (operator: number) =>
  ({
    public: role.visitor,
    visitor: role.visitor,
    user: role.user,
    admin: role.admin,
    operator,
    root: role.root,
  }) satisfies Record<Access, number>

/** Static segments precede parameters, so that `/api/channel/test` never matches as an id. */
function compareRoutes(one: string, other: string): number {
  const rank = (path: string) => path.replace(/:\w+/g, '\u{10ffff}')
  return rank(one) < rank(other) ? -1 : 1
}

function limit(waitSeconds: number): void {
  if (waitSeconds > 0) throw refuse('limited', 'http.429', {}, { retryAfterSeconds: waitSeconds })
}
