import type { Duplex } from 'node:stream'
import type { Clock } from '../../base/clock.ts'
import { refuse } from '../../base/errors.ts'
import type { Arrival } from '../arrival.ts'
import { shown, writeError } from '../error-body.ts'
import { Waiting } from '../patience.ts'
import type { Asker, RelayDeps } from '../relay.ts'
import { createHandshake } from './handshake.ts'
import { createKeeper } from './keeper.ts'
import { createPlaces } from './places.ts'
import { answerRealtime } from './realtime/visit.ts'
import { refuseVisit } from './refusal.ts'
import { errorFrame } from './responses/frames.ts'
import { type Answering, createInnerCalls } from './responses/inner-call.ts'
import { createTurnMemory } from './responses/memory.ts'
import { answerResponses } from './responses/visit.ts'
import type { Visit } from './visit.ts'

export type SocketsDeps = Readonly<{
  relay: RelayDeps
  clock: Clock
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
  const keeper = createKeeper(deps.clock)
  const shared = { relay: deps.relay, identify: deps.identify, handshake, places: createPlaces(), keeper }
  const talking = { ...shared, calls: createInnerCalls(deps.answer), memory: createTurnMemory() }
  let parting = false
  const paths: Readonly<Record<string, (visit: Visit) => Promise<void>>> = {
    'GET /v1/realtime': (visit) => answerRealtime(shared, visit),
    'GET /v1/responses': (visit) => answerResponses(talking, visit),
  }
  return {
    async visit(wire, head, arrive) {
      const waiting = new Waiting()
      wire.on('error', () => wire.destroy())
      wire.once('close', () => waiting.end())
      const arrival = arrive(waiting)
      const answer = paths[`${arrival.method} ${arrival.path}`]
      if (!answer) return tellNotFound(arrival)
      const visit = { arrival, wire, head, waiting }
      if (!parting) return answer(visit)
      const stopping = refuse('unavailable', 'relay.stopping', {}, { retryAfterSeconds: 5 })
      return refuseVisit(handshake, visit, stopping, { frame: errorFrame })
    },
    part(why) {
      parting = true
      return keeper.part(why)
    },
    get size() {
      return keeper.size
    },
    close: keeper.close,
  }
}

function tellNotFound(arrival: Arrival): void {
  const { method, path } = arrival
  const told = shown(refuse('missing', 'relay.notFound', { method, path }), arrival)
  writeError(arrival, { ...told, error: { ...told.error, type: 'invalid_request_error' } })
}
