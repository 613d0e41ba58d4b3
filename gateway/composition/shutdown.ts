import type { Server } from 'node:http'
import { once } from '../base/once.ts'
import { closed } from './listen.ts'

/** Both resolve once everything is written, and may be called again. */
export interface Shutdown {
  /** Refuses new work, lets streams finish for DRAIN_S, writes everything, closes. */
  stop(): Promise<void>
  /** Stops, or cuts a running stop short, without letting streams finish: what they have delivered is charged. */
  stopNow(): Promise<void>
}

type ShutdownDeps = Readonly<{
  server: Server
  /** Waits for active work, until `hurry` at most. */
  drain: (hurry: Promise<void>) => Promise<unknown>
  /** Writes and closes everything behind the server, which is closed by then. */
  close: () => Promise<void>
}>

/** Ends a gateway once, in the way requested first. */
export function createShutdown({ server, drain, close }: ShutdownDeps): Shutdown {
  const hurry = Promise.withResolvers<void>()
  const stop = once(async () => {
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
