import type { Server } from 'node:http'
import { once } from '../base/once.ts'
import { closed } from './listen.ts'

/** The ways a gateway ends. Both resolve once everything is written, and each may be asked again. */
export interface Shutdown {
  /** Refuses new work, lets streams end for DRAIN_S, writes everything, closes. */
  stop(): Promise<void>
  /** Stops, or ends the wait of a stop, without letting streams end: what they have delivered is charged. */
  stopNow(): Promise<void>
}

type ShutdownDeps = Readonly<{
  server: Server
  /** Waits for what runs, until `hurry` at most. */
  drain: (hurry: Promise<void>) => Promise<unknown>
  /** Writes and closes everything behind the server, which is closed by then. */
  close: () => Promise<void>
}>

/** Ends a gateway once, whichever way is asked for first. */
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
