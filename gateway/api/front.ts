import type { Context, Middleware } from 'koa'
import type { Clock } from '../base/clock.ts'
import { requestId } from '../base/ids.ts'
import { clientAddress, type Ranges } from '../limits/client-address.ts'
import type { Caller } from '../relay/identify.ts'
import type { RelayRoutes } from '../relay/routes.ts'
import type { HostGuard } from './middleware/host.ts'

export type FrontDeps = Readonly<{
  hosts: HostGuard
  routes: RelayRoutes
  playground: (ctx: Context) => Promise<Caller>
  isTrustedProxy: Ranges
  clock: Clock
}>

/**
 * The first thing every request meets: its id, the Host allow-list, and, before sessions, parsers and files, the relay
 * (design/performance.md §4.4). What is not relayed goes on.
 */
export function createFront({ hosts, routes, playground, isTrustedProxy, clock }: FrontDeps): Middleware {
  return (ctx, next) => {
    const id = requestId(clock.now())
    const { req, res } = ctx
    ctx.state.requestId = id
    res.setHeader('X-Request-Id', id)
    res.setHeader('X-Oneapi-Request-Id', id)
    if (!hosts.isKnown(req.headers.host)) return hosts.middleware(ctx, next)
    if (!routes.owns(req.url ?? '/')) return next()
    ctx.respond = false
    const forwarded = req.headers['x-forwarded-for']
    const ip = clientAddress(
      req.socket.remoteAddress ?? '',
      Array.isArray(forwarded) ? forwarded.join(',') : forwarded,
      isTrustedProxy,
    )
    return routes.handle(req, res, { requestId: id, ip, session: () => playground(ctx) })
  }
}
