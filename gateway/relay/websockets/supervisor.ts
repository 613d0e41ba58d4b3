import type { WebSocket } from 'ws'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { createSlots } from '../../base/slots.ts'

/** Maximum age of a socket, maximum silence, and the ping interval. */
const MAX_MS = 60 * 60 * 1000
const IDLE_MS = 10 * 60 * 1000
const PING_MS = 30 * 1000

/** How long an upstream is read on after its caller has left (docs/reference/streams.md#callers-that-leave). */
const READ_ON_MS = 5000

/**
 * Why a socket ends: ten minutes of silence; one hour of age, or the end of the time for which its upstream is read
 * after the caller left; shutdown (`immediate`: without waiting).
 */
export type CloseReason = 'idle' | 'limit' | 'shutdown' | 'immediate'

type SupervisedSocket = Readonly<{
  startedMs: number
  sockets: readonly WebSocket[]
  /** Monotonic milliseconds of the last frame. */
  lastMs: () => number
  /** Monotonic milliseconds when the caller left; undefined before, and for sockets without an upstream. */
  leftMs?: () => number | undefined
  /** Called every second, once the socket must end, until it has ended. */
  end: (why: CloseReason) => void
  checkpoint: () => MaybePromise<unknown>
}>

export interface SocketSupervisor {
  /** Supervises a socket until the returned function is called. */
  keep(supervised: SupervisedSocket): () => void
  /** Ends every socket as soon as possible, or immediately; resolves when all are gone. */
  endAll(why: 'shutdown' | 'immediate'): Promise<void>
  /** Writes every socket's checkpoint now; this ends the sessions whose caller has lost access. */
  lookNow(): void
  readonly size: number
  close(): void
}

const INTERVAL_MS = 1000
const CHECKPOINT_MS = 5000

/** State of a socket: its last checkpoint and ping, and which ends have sent a frame or read the ping since. */
type Entry = {
  supervised: SupervisedSocket
  checkedMs: number
  pingedMs: number
  heard: Set<WebSocket>
  taken: Set<WebSocket>
}

/**
 * Runs every second: checkpoints, pings, and the ends of silent, dead or expired sockets
 * (docs/reference/streams.md#realtime-sessions).
 */
export function createSocketSupervisor({ clock, log }: Readonly<{ clock: Clock; log: Logger }>): SocketSupervisor {
  const entries = createSlots<Entry>()
  let parting: 'shutdown' | 'immediate' | undefined
  const { promise: empty, resolve: resolveEmpty } = Promise.withResolvers<void>()
  const failed = (error: unknown) => log.error('a socket could not be looked after', { error })
  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const entry of entries.values()) {
      try {
        const looked = parting ? entry.supervised.end(parting) : look(entry, now)
        if (looked instanceof Promise) looked.catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  }, INTERVAL_MS)
  timer.unref()
  return {
    keep(supervised) {
      const now = clock.monotonic()
      const entry = {
        supervised,
        checkedMs: now,
        pingedMs: now,
        heard: new Set(supervised.sockets),
        taken: new Set<WebSocket>(),
      }
      for (const socket of supervised.sockets) {
        const hear = () => void entry.heard.add(socket)
        socket.on('pong', hear).on('message', hear)
      }
      const leave = entries.add(entry)
      if (parting) supervised.end(parting)
      return () => {
        leave()
        if (parting && entries.size === 0) resolveEmpty()
      }
    },
    async endAll(why) {
      parting = why
      if (entries.size === 0) return
      for (const entry of entries.values()) entry.supervised.end(why)
      await empty
    },
    lookNow() {
      for (const { supervised } of entries.values()) {
        try {
          const looked = supervised.checkpoint()
          if (looked instanceof Promise) looked.catch(failed)
        } catch (error) {
          failed(error)
        }
      }
    },
    get size() {
      return entries.size
    },
    close: () => clearInterval(timer),
  }
}

/** Ends a socket if due; else writes its checkpoint and sends its ping if due. */
function look(entry: Entry, now: number): MaybePromise<unknown> {
  const why = dueOf(entry.supervised, now)
  if (why) return entry.supervised.end(why)
  const isDue = now - entry.checkedMs >= CHECKPOINT_MS
  if (isDue) entry.checkedMs = now
  const checked = isDue ? entry.supervised.checkpoint() : undefined
  if (now - entry.pingedMs >= PING_MS) {
    entry.pingedMs = now
    ping(entry)
  }
  return checked
}

function dueOf(supervised: SupervisedSocket, now: number): CloseReason | undefined {
  const leftMs = supervised.leftMs?.()
  if (now - supervised.startedMs > MAX_MS || (leftMs !== undefined && now - leftMs >= READ_ON_MS)) return 'limit'
  return now - supervised.lastMs() > IDLE_MS ? 'idle' : undefined
}

/**
 * Terminates a peer that has sent nothing since the last ping; a paused one cannot be heard, but must read what is
 * waiting.
 */
function ping({ supervised, heard, taken }: Entry): void {
  const alive = supervised.sockets.filter((socket) => heard.has(socket) || (socket.isPaused && taken.has(socket)))
  heard.clear()
  taken.clear()
  for (const socket of supervised.sockets) {
    if (!alive.includes(socket)) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.ping('', undefined, () => taken.add(socket))
  }
}
