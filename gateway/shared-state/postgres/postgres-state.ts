import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import { openConnections } from '../../store/postgres/connections.ts'
import { ownState, type SharedState } from '../shared-state.ts'
import { openPolledChanges } from './changes.ts'
import { createRowLocks } from './job-locks.ts'
import { MAX_MS, statementsOver } from './statements.ts'

type PostgresStateDeps = Readonly<{
  url: string
  clock: Clock
  log: Logger
}>

/** Apart from those of the store, whose transactions may take all of them for a while. */
const MAX_CONNECTIONS = 2
const NODE_ID_LENGTH = 16

/**
 * Opens the state that the nodes of a PostgreSQL database share. Call it before any cache is filled. Affinity,
 * cooldowns and failure counts are this node's own.
 */
export async function openPostgresState({
  url,
  clock,
  log,
}: PostgresStateDeps): Promise<SharedState & { close(): Promise<void> }> {
  const connections = openConnections({ url, max: MAX_CONNECTIONS, statementMs: MAX_MS }, log)
  const run = statementsOver(connections)
  const node = randomKey(NODE_ID_LENGTH)
  try {
    const changes = await openPolledChanges({ run, log, node })
    return {
      ...ownState(clock),
      changes,
      locks: createRowLocks({ run, log, node }),
      async close() {
        await changes.stop()
        await connections.end()
      },
    }
  } catch (error) {
    await connections.end()
    throw error
  }
}
