import type { Logger } from '../../base/log/logger.ts'
import { callerRows } from '../accounts/callers.ts'
import { tokenCharges } from '../ledger/token-charges.ts'
import type { Store } from '../store.ts'
import type { OpenDatabase } from './database.ts'
import { preparedOn } from './prepared.ts'
import { createReader } from './reader.ts'

/** Creates the store over an open SQLite database and takes ownership of it: `close` also closes the database. */
export function sqliteStore(database: OpenDatabase, log: Logger): Store {
  const { db } = database
  const reader = createReader({ file: database.file, log })
  const prepare = preparedOn(database.reader)
  return {
    db,
    reader,
    callers: callerRows(db, prepare),
    charges: tokenCharges(db, prepare),
    requests: { run: (work) => work(), setAccount: () => {} },
    scrubbed: database.scrubbed,
    async close() {
      await reader.close()
      await database.close()
    },
  }
}
