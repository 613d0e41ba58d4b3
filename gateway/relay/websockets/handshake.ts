import type { Duplex, Writable } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { refuse } from '../../base/errors.ts'
import type { BodyMemory, MemoryShare } from '../intake/body-memory.ts'
import { paceFrames } from '../upstream/frame-pace.ts'
import { answerPings, SOCKET_OPTIONS } from '../upstream/socket-wire.ts'
import { closeGracefully, closing } from './closing.ts'
import { type UpgradeRequest, withdraw } from './upgrade.ts'

/** A caller's open socket. Each of its frames uses memory until it has been read and passed on, or dropped. */
export type CallerSocket = Readonly<{
  socket: WebSocket
  /** Releases the memory of a frame; does nothing for one that the caller did not send. */
  release: (data: Buffer) => void
}>

export interface Handshake {
  /**
   * For an account (0 if unknown): sends 101 and resolves with the open socket, paused; on a failed handshake, sends
   * the refusal and rejects.
   */
  accept(upgrade: UpgradeRequest, accountId: number): Promise<CallerSocket>
}

/**
 * No compression; sockets close on frames that are too long (1009) or invalid UTF-8 (1007), and if incomplete or unread
 * messages exceed the memory budget of bodies (1013).
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
          ignoreAfterError(socket)
          resolve({ socket, release: boundFrames(socket, wire, bodies.shareFor(wire, accountId)) })
        })
      })
    },
  }
}

/** Internals of `ws`: the stream that parses a socket's frames, and whether one of them was invalid. */
type Receiver = Writable & { _errored: boolean }

/**
 * Ignores what follows an invalid frame. Node passes the writes that wait behind a failed one to the receiver, which
 * then throws outside of every call of ours (`ws` 8.23): that would end the process.
 */
function ignoreAfterError(socket: WebSocket): void {
  const { _receiver: receiver } = socket as unknown as { _receiver: Receiver }
  const write = receiver._write
  receiver._write = function (this: Receiver, chunk, encoding, done) {
    if (this._errored) done()
    else write.call(this, chunk, encoding, done)
  }
}

/**
 * Bytes of memory per byte of a frame: the frame, its parsed text of two bytes per character, and its other values or
 * its copy for the upstream.
 */
const MEMORY_PER_BYTE = 4

/**
 * Counts incomplete messages, which are buffered, and complete ones until they are released: otherwise fifty sockets of
 * an account could fill the memory with the longest ones.
 */
function boundFrames(socket: WebSocket, wire: Duplex, memory: MemoryShare): CallerSocket['release'] {
  const unreleased: Buffer[] = []
  let completeBytes = 0
  let incompleteBytes = 0
  let isRefused = false
  const isWithinBudget = (): boolean => {
    if (isRefused) return false
    try {
      memory.grow((completeBytes + incompleteBytes) * MEMORY_PER_BYTE)
      return true
    } catch {
      isRefused = true
      closeGracefully(socket, closing.later, 'too much is being sent at once')
      socket.pause()
      return false
    }
  }
  paceFrames(socket, wire, (bytes) => {
    incompleteBytes = bytes
    return isWithinBudget()
  })
  socket.on('message', (data) => {
    incompleteBytes = 0
    if (!Buffer.isBuffer(data)) return
    unreleased.push(data)
    completeBytes += data.length
  })
  return (data) => {
    const index = unreleased.indexOf(data)
    if (index < 0) return
    unreleased.splice(index, 1)
    completeBytes -= data.length
    if (completeBytes > 0) return
    memory.giveBack()
    isWithinBudget()
  }
}

/** Sub-protocols that carry a key or an option (docs/reference/endpoints.md#api-key). */
const CARRIERS = /^openai-(insecure-api-key|beta|organization|project)\./

/** The sub-protocol to accept: never one that carries a key. */
function chosen(offered: readonly string[]): string | false {
  return offered.find((protocol) => protocol === 'realtime') ?? offered.find((one) => !CARRIERS.test(one)) ?? false
}
