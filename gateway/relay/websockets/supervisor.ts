import type { WebSocket } from 'ws'
import type { Clock } from '../../base/clock.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { MaybePromise } from '../../base/maybe-promise.ts'
import { createSlots } from '../../base/slots.ts'
import { IDLE_MS, MAX_MS, PING_MS } from './limits.ts'

/** Why a socket is to end: nothing was said for ten minutes, an hour is over, the gateway stops (at once with `immediate`). */
export type CloseReason = 'idle' | 'limit' | 'shutdown' | 'immediate'

/** One socket and what is behind it, as the supervisor looks after it. */
type SupervisedSocket = Readonly<{
  startedMs: number
  /** The sockets to be asked whether they are there. */
  sockets: readonly WebSocket[]
  /** Monotonic milliseconds of the last frame. */
  lastMs: () => number
  /** Asked again every second until it has ended. */
  end: (why: CloseReason) => void
  /** Every five seconds. */
  checkpoint: () => MaybePromise<unknown>
}>

/** One timer for all sockets. */
export interface SocketSupervisor {
  /** Looks after a socket until what is returned is called. */
  keep(kept: SupervisedSocket): () => void
  /** Asks every socket to end as soon as it can, or at once; resolves when all are gone. */
  endAll(why: 'shutdown' | 'immediate'): Promise<void>
  /** Has every socket write its checkpoint now, which ends one whose caller may no longer have it. */
  lookNow(): void
  readonly size: number
  close(): void
}

const TURN_MS = 1000
const CHECKPOINT_MS = 5000

/** What is known of a socket's last checkpoint and ping, and who has been heard of or has taken the ping since. */
type Entry = {
  kept: SupervisedSocket
  checkedMs: number
  pingedMs: number
  heard: Set<WebSocket>
  taken: Set<WebSocket>
}

/**
 * A turn every second: checkpoints, pings, and the ends of what is silent, gone, or an hour old
 * (docs/reference/streams.md#realtime-sessions).
 */
export function createSocketSupervisor({ clock, log }: Readonly<{ clock: Clock; log: Logger }>): SocketSupervisor {
  const entries = createSlots<Entry>()
  let parting: 'shutdown' | 'immediate' | undefined
  const { promise: empty, resolve: gone } = Promise.withResolvers<void>()
  const failed = (error: unknown) => log.error('a socket could not be looked after', { error })
  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const entry of entries.values()) {
      try {
        const looked = parting ? entry.kept.end(parting) : look(entry, now)
        if (looked instanceof Promise) looked.catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  }, TURN_MS)
  timer.unref()
  return {
    keep(kept) {
      const now = clock.monotonic()
      const entry = { kept, checkedMs: now, pingedMs: now, heard: new Set(kept.sockets), taken: new Set<WebSocket>() }
      for (const socket of kept.sockets) {
        const hear = () => void entry.heard.add(socket)
        socket.on('pong', hear).on('message', hear)
      }
      const leave = entries.add(entry)
      if (parting) kept.end(parting)
      return () => {
        leave()
        if (parting && entries.size === 0) gone()
      }
    },
    async endAll(why) {
      parting = why
      if (entries.size === 0) return
      for (const entry of entries.values()) entry.kept.end(why)
      await empty
    },
    lookNow() {
      for (const { kept } of entries.values()) {
        try {
          const looked = kept.checkpoint()
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

/** One socket's turn: its end where it is due, else its checkpoint and its ping where these are. */
function look(entry: Entry, now: number): MaybePromise<unknown> {
  const why = dueOf(entry.kept, now)
  if (why) return entry.kept.end(why)
  const isDue = now - entry.checkedMs >= CHECKPOINT_MS
  if (isDue) entry.checkedMs = now
  const checked = isDue ? entry.kept.checkpoint() : undefined
  if (now - entry.pingedMs >= PING_MS) {
    entry.pingedMs = now
    ping(entry)
  }
  return checked
}

function dueOf(kept: SupervisedSocket, now: number): CloseReason | undefined {
  if (now - kept.startedMs > MAX_MS) return 'limit'
  return now - kept.lastMs() > IDLE_MS ? 'idle' : undefined
}

/** Lets go who has said nothing since the last ping; who is held back cannot be heard, but has to take what waits. */
function ping({ kept, heard, taken }: Entry): void {
  const there = kept.sockets.filter((socket) => heard.has(socket) || (socket.isPaused && taken.has(socket)))
  heard.clear()
  taken.clear()
  for (const socket of kept.sockets) {
    if (!there.includes(socket)) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.ping('', undefined, () => taken.add(socket))
  }
}
