import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuse } from '../../base/errors.ts'
import type { BodyMemory, MemoryShare } from '../intake/body-memory.ts'
import { answerPings, SOCKET_OPTIONS } from '../upstream/socket-wire.ts'
import { closeGracefully, closing } from './closing.ts'
import { type UpgradeRequest, withdraw } from './upgrade.ts'

export interface Handshake {
  /**
   * For an account (0 if unknown): sends 101 and resolves with the open socket, paused; on a failed handshake, sends
   * the refusal and rejects.
   */
  accept(upgrade: UpgradeRequest, accountId: number): Promise<WebSocket>
}

/**
 * No compression; sockets close on frames that are too long (1009) or invalid UTF-8 (1007), and if incomplete messages
 * exceed the memory budget of bodies (1013).
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
        const onClose = () =>
          reject(refuse('invalid', 'relay.badRequest', { reason: 'the connection could not be upgraded to WebSocket' }))
        if (wire.destroyed) return onClose()
        wire.once('close', onClose)
        server.handleUpgrade(context.request, wire, head, (socket) => {
          wire.off('close', onClose)
          socket.pause()
          answerPings(socket)
          boundFrames(socket, wire, bodies.shareFor(wire, accountId))
          resolve(socket)
        })
      })
    },
  }
}

/** Overhead of a client's control frame: header and mask. */
const CONTROL_BYTES = 6

/**
 * Counts the bytes of incomplete messages, which are buffered: otherwise fifty sockets of an account could hold fifty
 * of the longest ones. Control frames, which may come between fragments, do not count.
 */
function boundFrames(socket: WebSocket, wire: Duplex, memory: MemoryShare): void {
  let come = 0
  const aside = (data: Buffer) => {
    come -= data.length + CONTROL_BYTES
  }
  const count = (bytes: Buffer) => {
    come += bytes.length
    try {
      memory.grow(come)
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
    memory.giveBack()
  })
}

/** Sub-protocols that carry a key or an option (docs/reference/endpoints.md#api-key). */
const CARRIERS = /^openai-(insecure-api-key|beta|organization|project)\./

/** The sub-protocol to accept: never one that carries a key. */
function chosen(offered: readonly string[]): string | false {
  return offered.find((protocol) => protocol === 'realtime') ?? offered.find((one) => !CARRIERS.test(one)) ?? false
}
