import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from '../base/once.ts'
import { closed } from './listen.ts'

/** Both methods resolve once everything is written, and may be called again. */
export interface Shutdown {
  /** Waits for DRAIN_DELAY_S, refuses new work, lets streams finish for DRAIN_S, writes everything, closes. */
  stop(): Promise<void>
  /** Stops, or cuts a running stop short, without letting streams finish: what they have delivered is charged. */
  stopNow(): Promise<void>
}

type ShutdownDeps = Readonly<{
  server: Server
  /** Called at once. */
  onStop: () => void
  /** Seconds in which requests are still accepted. */
  delayS: number
  /** Waits for active work, until `hurry` at most. */
  drain: (hurry: Promise<void>) => Promise<unknown>
  /** Writes and closes everything behind the server, which is closed by then. */
  close: () => Promise<void>
}>

/** Ends a gateway once; `stopNow` hurries a stop that is already running. */
export function createShutdown({ server, onStop, delayS, drain, close }: ShutdownDeps): Shutdown {
  const hurry = Promise.withResolvers<void>()
  const stop = once(async () => {
    onStop()
    if (delayS > 0) await Promise.race([sleep(delayS * 1000), hurry.promise])
    const quiet = closed(server)
    await drain(hurry.promise)
    server.closeAllConnections()
    await quiet
    await close()
  })
  return {
    stop,
    stopNow() {
      hurry.resolve()
      return stop()
    },
  }
}
