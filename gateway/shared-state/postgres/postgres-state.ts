import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import { openConnections } from '../../store/postgres/connections.ts'
import { dividedRates } from '../rates.ts'
import { ownState, type SharedState } from '../shared-state.ts'
import { openPolledChanges } from './changes.ts'
import { createEphemeralRows } from './ephemeral-rows.ts'
import { createRowLocks } from './job-locks.ts'
import { loginRows } from './login-rows.ts'
import { setupCodeRow } from './setup-code-row.ts'
import { MAX_MS, statementsOver } from './statements.ts'

type PostgresStateDeps = Readonly<{
  url: string
  vault: Vault
  clock: Clock
  log: Logger
}>

/** Apart from those of the store, whose transactions may take all of them for a while. */
const MAX_CONNECTIONS = 2
const NODE_ID_LENGTH = 16
const CLEANUP_MS = 60_000
/** One gateway at a time may use the database. */
const livingNodes = () => 1

/**
 * Opens the state that the nodes of a PostgreSQL database share. Call it before any cache is filled. Affinity,
 * cooldowns and failure counts are this node's own.
 */
export async function openPostgresState({
  url,
  vault,
  clock,
  log,
}: PostgresStateDeps): Promise<SharedState & { close(): Promise<void> }> {
  const connections = openConnections({ url, max: MAX_CONNECTIONS, statementMs: MAX_MS }, log)
  const run = statementsOver(connections)
  const node = randomKey(NODE_ID_LENGTH)
  try {
    const changes = await openPolledChanges({ run, log, node })
    const rows = createEphemeralRows({ run, vault, log })
    const removeOld = () =>
      rows.removeOld().catch((error: unknown) => log.warn('expired logins could not be deleted', { error }))
    const cleanup = setInterval(removeOld, CLEANUP_MS).unref()
    return {
      ...ownState(clock),
      ...loginRows(rows),
      changes,
      locks: createRowLocks({ run, log, node }),
      rates: dividedRates(clock, livingNodes),
      setupCode: setupCodeRow({ run, vault }),
      async close() {
        clearInterval(cleanup)
        await changes.stop()
        await connections.end()
      },
    }
  } catch (error) {
    await connections.end()
    throw error
  }
}
