import type { Connections } from '../../store/postgres/connections.ts'

/** Runs a single statement and returns its rows. */
export type RunStatement = <R>(text: string, values?: readonly unknown[]) => Promise<R[]>

/** Max run time of a statement of the shared state; the server ends it at the same time. */
export const MAX_MS = 5000

/**
 * Runs statements on a pool. One that has no result in time rejects, and its connection is closed, so that the next
 * statement uses another one.
 */
export const statementsOver =
  (connections: Pick<Connections, 'connect'>, maxMs = MAX_MS): RunStatement =>
  async <R>(text: string, values: readonly unknown[] = []) => {
    const client = await connections.connect()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error('the database did not respond in time')), maxMs)
    let isBroken = true
    try {
      const { rows } = await Promise.race([client.query<R>(text, values), late.promise])
      isBroken = false
      return rows
    } finally {
      clearTimeout(timer)
      client.release(isBroken)
    }
  }
