import type { Duplex } from 'node:stream'
import { refuse } from '../../base/errors.ts'
import type { Arrival } from '../model/request-context.ts'
import { shown, writeError } from '../delivery/error-body.ts'
import { Waiting } from '../model/cancellation.ts'
import type { Asker, RelayDeps } from '../relay.ts'
import { createHandshake } from './handshake.ts'
import { createKeeper } from './supervisor.ts'
import { createPlaces } from './connection-limits.ts'
import { answerRealtime } from './realtime/realtime.ts'
import { type Answering, createInnerCalls } from './responses/inner-call.ts'
import { createTurnMemory } from './responses/memory.ts'
import { answerResponses } from './responses/responses.ts'
import { type Visit, watch } from './upgrade.ts'

export type SocketsDeps = Readonly<{
  relay: RelayDeps
  identify: (arrival: Arrival) => Asker
  /** Answers the requests that the turns of a socket are. */
  answer: Answering
}>

/** The relay's sockets: `/v1/realtime` and `/v1/responses`. */
export interface Sockets {
  /** Takes a request to become a socket; `arrive` makes an arrival of it. Never throws. */
  visit(wire: Duplex, head: Buffer, arrive: (waiting: Waiting) => Arrival): Promise<void>
  /** Refuses new sockets and asks all to end once what they are about is done, or at once; resolves when they have. */
  part(why: 'leave' | 'now'): Promise<void>
  readonly size: number
  close(): void
}

/** Builds the sockets over the relay. */
export function createSockets(deps: SocketsDeps): Sockets {
  const handshake = createHandshake()
  const keeper = createKeeper(deps.relay)
  const places = createPlaces()
  const shared = { relay: deps.relay, identify: deps.identify, handshake, places, keeper }
  const talking = { ...shared, calls: createInnerCalls(deps.answer), memory: createTurnMemory() }
  const paths: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
    'GET /v1/realtime': (visit) => answerRealtime(shared, visit),
    'GET /v1/responses': (visit) => answerResponses(talking, visit),
  }
  return {
    async visit(wire, head, arrive) {
      const waiting = new Waiting()
      const unwatch = watch(wire, waiting)
      const arrival = arrive(waiting)
      const answer = paths[`${arrival.method} ${arrival.path}`]
      if (answer) await answer({ arrival, wire, head, unwatch })
      else tellNotFound(arrival)
    },
    part(why) {
      places.close()
      return keeper.part(why)
    },
    get size() {
      return keeper.size
    },
    close: keeper.close,
  }
}

/** No socket is offered there; told as any other wrong path is (spec/relay.md §1.2). */
function tellNotFound(arrival: Arrival): void {
  const { method, path } = arrival
  const told = shown(refuse('missing', 'relay.notFound', { method, path }), arrival)
  writeError(arrival, { ...told, error: { ...told.error, type: 'invalid_request_error' } })
}
