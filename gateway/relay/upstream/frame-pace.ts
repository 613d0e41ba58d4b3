import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { boundToAccount, yieldToOthers } from '../../base/fair-yield.ts'
import { LARGE } from '../../base/json/json-scan.ts'

/** Overhead of a client's control frame: header and mask. */
const CONTROL_BYTES = 6

/**
 * Passes the bytes of an open, paused socket to `ws`, which joins and unmasks a frame in the read that completes it.
 * Once an incomplete message exceeds 1 MiB, only one read is passed in each turn of the event loop, so that at most one
 * long frame is completed in a turn. `isAdmitted` is called with the bytes of the incomplete message before a read is
 * passed, and returns false to drop the read. Control frames, which may come between fragments, do not count.
 */
export function paceFrames(
  socket: WebSocket,
  wire: Duplex,
  isAdmitted: (incompleteBytes: number) => boolean = () => true,
): void {
  const listeners = wire.listeners('data')
  const waiting: Buffer[] = []
  let received = 0
  const pass = (bytes: Buffer) => {
    for (const listener of listeners) listener.call(wire, bytes)
  }
  const passWaiting = async () => {
    for (let bytes = waiting[0]; bytes; bytes = waiting[0]) {
      await yieldToOthers()
      if (wire.readableEnded || wire.destroyed) return
      // Resumed before the read is passed, since a receiver that is full pauses again.
      if (waiting.length === 1 && !socket.isPaused) wire.resume()
      pass(bytes)
      waiting.shift()
    }
  }
  const receive = (bytes: Buffer) => {
    received += bytes.length
    if (!isAdmitted(received)) return
    if (received <= LARGE && waiting.length === 0) return pass(bytes)
    wire.pause()
    waiting.push(bytes)
    if (waiting.length === 1) void passWaiting()
  }
  const subtract = (data: Buffer) => {
    received -= data.length + CONTROL_BYTES
  }
  wire.removeAllListeners('data').on('data', boundToAccount(receive))
  // Discards the rest of a broken connection, which `ws` would take at once.
  wire.prependListener('close', () => received > LARGE && wire.read(wire.readableLength))
  socket.on('ping', subtract).on('pong', subtract)
  socket.on('message', () => {
    received = 0
  })
}
