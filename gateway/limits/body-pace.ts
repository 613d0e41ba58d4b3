import type { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Clock } from '../base/clock.ts'
import { createSlots } from '../base/slots.ts'

/**
 * Cuts bodies off that come too slowly. What still comes of those whose request has been answered is read and thrown away
 * for a while, so that nobody is cut off from an answer for not being done with asking.
 */
export interface BodyPace {
  /** Looks after a request's body from now on, if it has not come whole by the end of this turn. */
  watch(request: IncomingMessage, response: ServerResponse): void
  /** Bodies that are looked after. */
  readonly watched: number
  close(): void
}

/** The event of a request whose body comes too slowly; whoever reads it answers 408. Unheard, the connection ends. */
export const TOO_SLOW = Symbol('too slow')
/** The least rate as people read it. */
export const MIN_RATE = '1 KiB/s'

const TURN_MS = 1000
/** A body whose last 10 KiB took longer than 10 s is too slow (docs/reference/limits.md#bodies). */
const WINDOW_MS = 10_000
const MIN_BYTES = 10 * 1024
/** How long an answered request may go on sending what nobody wants, also where its connection ends with it. */
const LINGER_MS = 10_000

/** A body on its way: since when, and from which byte of its connection on, it is measured. */
type Entry = {
  request: IncomingMessage
  response: ServerResponse
  sinceMs: number
  bytes: number
  /** It was too slow a turn ago. One turn more tells a slow caller from a gateway that was too busy to read. */
  isSuspect: boolean
  /** When it was answered, or cut. */
  overMs: number | undefined
  /** Forgets it. */
  leave: () => void
}

/** One timer for all bodies. Those that come with their head, as most do, are never looked at. */
export function createBodyPace({ clock }: Readonly<{ clock: Clock }>): BodyPace {
  const entries = createSlots<Entry>()
  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const entry of entries.values()) look(entry, now)
  }, TURN_MS)
  timer.unref()
  const watchRest = (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || request.destroyed) return
    const { socket } = request
    const sinceMs = clock.monotonic()
    const bytes = socket.bytesRead
    const entry: Entry = { request, response, sinceMs, bytes, isSuspect: false, overMs: undefined, leave: nothing }
    const forget = entries.add(entry)
    const restore = linger(socket)
    entry.leave = () => {
      forget()
      restore()
    }
    request.once('close', entry.leave)
  }
  return {
    watch: (request, response) => process.nextTick(watchRest, request, response),
    get watched() {
      return entries.size
    },
    close: () => clearInterval(timer),
  }
}

const nothing = () => {}

/**
 * Node closes a connection once its last answer is written; what still comes is then met with a reset, which the answer
 * may be lost to. Instead its sending half ends and the rest is read away (RFC 9112 §9.6). Answers how to undo that,
 * which closes a connection that was to be closed in the meantime.
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

function look(entry: Entry, now: number): void {
  const { request, response } = entry
  // An answered request that nobody reads to its end is not told of the end of its connection, nor of its own.
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
  // Nobody reads it at the moment: that is not its sender's fault.
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
