import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuse } from '../../base/errors.ts'
import type { BodyMemory, Room } from '../intake/body-memory.ts'
import { answerPings, SOCKET_OPTIONS } from '../upstream/socket-wire.ts'
import { closing } from './limits.ts'
import { closeGracefully } from './refusal.ts'
import { type UpgradeRequest, withdraw } from './upgrade.ts'

/** Turns upgrade requests into sockets. */
export interface Handshake {
  /** Of an account (0 of nobody's): answers 101 and resolves with the open socket, paused; rejects when the request cannot become one, which is answered. */
  accept(upgrade: UpgradeRequest, accountId: number): Promise<WebSocket>
}

/**
 * A handshake without compression, whose sockets close on frames that are too long (1009) or no UTF-8 (1007), and on those
 * for whose beginnings there is no room among all bodies (1013).
 */
export function createHandshake(bodies: BodyMemory): Handshake {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    ...SOCKET_OPTIONS,
    handleProtocols: (offered) => chosen([...offered]),
  })
  const heads = new WeakMap<object, Readonly<Record<string, string>>>()
  server.on('headers', (lines, request) => {
    const head = heads.get(request)
    for (const name in head) lines.push(`${name}: ${head[name]}`)
  })
  return {
    accept(upgrade, accountId) {
      const { context, wire, head } = upgrade
      withdraw(upgrade)
      heads.set(context.request, context.head)
      return new Promise((resolve, reject) => {
        const gone = () =>
          reject(refuse('invalid', 'relay.badRequest', { reason: 'the connection could not be upgraded to WebSocket' }))
        if (wire.destroyed) return gone()
        wire.once('close', gone)
        server.handleUpgrade(context.request, wire, head, (socket) => {
          wire.off('close', gone)
          socket.pause()
          answerPings(socket)
          boundFrames(socket, wire, bodies.roomFor(wire, accountId))
          resolve(socket)
        })
      })
    },
  }
}

/** What a control frame takes besides its data: its head, and the mask that clients use. */
const CONTROL_BYTES = 6

/**
 * Counts what has come of a message that is not whole, which is kept until it is: fifty sockets of an account would else hold
 * fifty of the longest ones. Control frames, which come between the pieces of a message, are no part of it.
 */
function boundFrames(socket: WebSocket, wire: Duplex, room: Room): void {
  let come = 0
  const aside = (data: Buffer) => {
    come -= data.length + CONTROL_BYTES
  }
  const count = (bytes: Buffer) => {
    come += bytes.length
    try {
      room.grow(come)
    } catch {
      wire.off('data', count)
      closeGracefully(socket, closing.later, 'too much is being sent at once')
      socket.pause()
    }
  }
  wire.on('data', count)
  socket.on('ping', aside)
  socket.on('pong', aside)
  socket.on('message', () => {
    come = 0
    room.giveBack()
  })
}

/**
 * Sub-protocols that carry a key or an option and are no protocol (docs/reference/endpoints.md#api-key).
 */
const CARRIERS = /^openai-(insecure-api-key|beta|organization|project)\./

/** The sub-protocol to answer with: never one that carries a key. */
function chosen(offered: readonly string[]): string | false {
  return offered.find((protocol) => protocol === 'realtime') ?? offered.find((one) => !CARRIERS.test(one)) ?? false
}
