import type { Clock } from '../../base/clock.ts'
import { randomKey } from '../../base/ids.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { Vault } from '../../base/secrets/ciphers.ts'
import type { Connections } from '../../store/postgres/connections.ts'
import { dividedRates } from '../rates.ts'
import { ownState, type SharedState } from '../shared-state.ts'
import { openPolledChanges } from './changes.ts'
import { createEphemeralRows } from './ephemeral-rows.ts'
import { createRowLocks } from './job-locks.ts'
import { loginRows } from './login-rows.ts'
import { setupCodeRow } from './setup-code-row.ts'

type PostgresStateDeps = Readonly<{
  connections: Pick<Connections, 'run'>
  /** The number of nodes of the database that are alive. */
  livingNodes: () => number
  vault: Vault
  clock: Clock
  log: Logger
}>

const NODE_ID_LENGTH = 16
const CLEANUP_MS = 60_000

/**
 * Opens the state that the nodes of a PostgreSQL database share. Call it before any cache is filled. Affinity,
 * cooldowns and failure counts are this node's own.
 */
export async function openPostgresState({
  connections: { run },
  livingNodes,
  vault,
  clock,
  log,
}: PostgresStateDeps): Promise<SharedState & { close(): Promise<void> }> {
  const node = randomKey(NODE_ID_LENGTH)
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
    },
  }
}
