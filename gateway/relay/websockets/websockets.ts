import type { Duplex } from 'node:stream'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import type { ClientSecrets } from '../admission/client-secrets.ts'
import { sendNotFound } from '../auxiliary/auxiliary.ts'
import { intendedPath } from '../intake/intended-path.ts'
import { dialectOf } from '../intake/relay-routes.ts'
import type { Caller, Requester } from '../model/caller.ts'
import { CancellationSource } from '../model/cancellation.ts'
import type { RequestContext } from '../model/request-context.ts'
import { LIVE_PATH } from '../providers/gemini.ts'
import type { RelayDeps } from '../relay.ts'
import { createConnectionLimits } from './connection-limits.ts'
import { createHandshake } from './handshake.ts'
import { createLiveHandles } from './live/handles.ts'
import { answerLive } from './live/live.ts'
import { answerRealtime } from './realtime/realtime.ts'
import { type Answering, createInnerCalls } from './responses/inner-call.ts'
import { createTurnMemory } from './responses/memory.ts'
import { answerResponses } from './responses/responses.ts'
import { createSocketSupervisor } from './supervisor.ts'
import { type UpgradeRequest, watch } from './upgrade.ts'

type SocketsDeps = Readonly<{
  relay: RelayDeps
  identify: (context: RequestContext) => MaybePromise<Requester>
  /** The caller whose key has this hash; throws like `identify`. */
  byHash: (keyHash: string, nowSeconds: number) => MaybePromise<Caller>
  clientSecrets: ClientSecrets
  answer: Answering
}>

/** The relay's sockets: `/v1/realtime`, `/v1/responses` and Gemini's Live API. */
export interface Sockets {
  /** Upgrades a request; `arrive` creates its request context. Never throws. */
  upgrade(wire: Duplex, head: Buffer, arrive: (waiting: CancellationSource) => RequestContext): Promise<void>
  /** Refuses new sockets and ends all after their current work, or immediately; resolves when they have ended. */
  part(why: 'shutdown' | 'immediate'): Promise<void>
  recheck(): void
  readonly size: number
  close(): void
}

export function createSockets(deps: SocketsDeps): Sockets {
  const handshake = createHandshake(deps.relay.bodies)
  const supervisor = createSocketSupervisor(deps.relay)
  const connections = createConnectionLimits()
  const { relay, identify, byHash, clientSecrets } = deps
  const shared = { relay, identify, byHash, clientSecrets, handshake, connections, supervisor }
  const talking = { ...shared, calls: createInnerCalls(deps.answer), memory: createTurnMemory() }
  const live = { ...shared, handles: createLiveHandles(() => relay.clock.monotonic()) }
  const paths: Readonly<Record<string, (upgrade: UpgradeRequest) => Promise<void>>> = {
    'GET /v1/realtime': (upgrade) => answerRealtime(shared, upgrade),
    [`GET ${LIVE_PATH}`]: (upgrade) => answerLive(live, upgrade),
    'GET /v1/responses': (upgrade) => answerResponses(talking, upgrade),
  }
  return {
    async upgrade(wire, head, arrive) {
      const waiting = new CancellationSource()
      const unwatch = watch(wire, waiting)
      const received = arrive(waiting)
      const own = paths[`${received.method} ${received.path}`]
      const context = own ? received : asIntended(received)
      const answer = own ?? paths[`${context.method} ${context.path}`]
      if (answer) await answer({ context, wire, head, unwatch })
      else sendNotFound(received)
    },
    part(why) {
      connections.close()
      return supervisor.endAll(why)
    },
    recheck: supervisor.lookNow,
    get size() {
      return supervisor.size
    },
    close: supervisor.close,
  }
}

/** The request at its intended path, if its own does not exist (docs/reference/endpoints.md#other-paths). */
function asIntended(context: RequestContext): RequestContext {
  const path = intendedPath(context.path)
  return path === undefined ? context : { ...context, path, format: dialectOf(path) }
}
