import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { createSlots } from '../base/slots.ts'

/**
 * Aborts requests whose body arrives too slowly. After a response, the rest of the body is read and discarded for a
 * while, so that a client that is still sending can receive the response.
 */
export interface BodyPace {
  /** Monitors a request's body, unless it is complete by the next tick. */
  watch(request: IncomingMessage, response: ServerResponse): void
  readonly watched: number
  close(): void
}

/**
 * The event of a request whose body arrives too slowly; its reader responds with 408. Without a listener, the
 * connection is closed.
 */
export const TOO_SLOW = Symbol('too slow')
/** The minimum rate, for display. */
export const MIN_RATE = '1 KiB/s'

const INTERVAL_MS = 1000
/** A body whose last 10 KiB took longer than 10 s is too slow (docs/reference/limits.md#bodies). */
const WINDOW_MS = 10_000
const MIN_BYTES = 10 * 1024
/** How long a client may go on sending after the response, even if the connection is to be closed. */
const LINGER_MS = 10_000

/** A body being received, with the time and the byte count of its connection from which it is measured. */
type Entry = {
  request: IncomingMessage
  response: ServerResponse
  sinceMs: number
  bytes: number
  /**
   * Whether it was too slow at the previous check. A second check distinguishes a slow client from a gateway that was
   * too busy to read.
   */
  isSuspect: boolean
  /** When the response was sent, or the request aborted. */
  overMs: number | undefined
  leave: () => void
}

/** Uses one timer for all bodies. Bodies that arrive with their headers are not monitored. */
export function createBodyPace({ clock }: Readonly<{ clock: Clock }>): BodyPace {
  const entries = createSlots<Entry>()
  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const entry of entries.values()) checkEntry(entry, now)
  }, INTERVAL_MS)
  timer.unref()
  const watchIncomplete = (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || request.destroyed) return
    const { socket } = request
    const sinceMs = clock.monotonic()
    const bytes = socket.bytesRead
    const entry: Entry = { request, response, sinceMs, bytes, isSuspect: false, overMs: undefined, leave: noop }
    const forget = entries.add(entry)
    const restore = linger(socket)
    entry.leave = () => {
      forget()
      restore()
    }
    request.once('close', entry.leave)
  }
  return {
    watch: (request, response) => process.nextTick(watchIncomplete, request, response),
    get watched() {
      return entries.size
    },
    close: () => clearInterval(timer),
  }
}

const noop = () => {}

/**
 * Node closes a connection once its last response is written; data that still arrives then causes a reset, which can
 * make the client lose the response. Instead, this ends the sending half and lets the rest be read (RFC 9112 §9.6).
 * Returns a function that undoes this, closing a connection that was to be closed meanwhile.
 */
function linger(socket: Socket): () => void {
  const { destroySoon } = Socket.prototype
  let isOver = false
  socket.destroySoon = () => {
    isOver = true
    socket.end()
  }
  return () => {
    socket.destroySoon = destroySoon
    if (isOver) socket.destroySoon()
    isOver = false
  }
}

function checkEntry(entry: Entry, now: number): void {
  const { request, response } = entry
  // If the response was sent before the request was read to its end, no event reports the end of the request or of its
  // connection.
  if (request.socket.destroyed || (request.complete && response.writableFinished)) {
    entry.leave()
    return
  }
  if (request.complete) return
  if (response.writableFinished) entry.overMs ??= now
  if (entry.overMs !== undefined) {
    if (now - entry.overMs >= LINGER_MS) request.socket.destroy()
    return
  }
  const { bytesRead } = request.socket
  // The gateway is not reading at the moment, which is not the client's fault.
  if (request.readableFlowing !== true || bytesRead - entry.bytes >= MIN_BYTES) {
    entry.sinceMs = now
    entry.bytes = bytesRead
    entry.isSuspect = false
    return
  }
  if (now - entry.sinceMs < WINDOW_MS) return
  if (!entry.isSuspect) {
    entry.isSuspect = true
    return
  }
  entry.overMs = now
  if (!request.emit(TOO_SLOW)) request.socket.destroy()
}
