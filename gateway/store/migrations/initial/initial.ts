import { createTables, type Migration } from '../column.ts'
import { accountsIndexes, accountsTables } from './accounts.ts'
import { activityIndexes, activityTables, logIndexes } from './activity.ts'
import { channelsIndexes, channelsTables } from './channels.ts'
import { ledgerIndexes, ledgerTables } from './ledger.ts'
import { createSharedState } from './shared-state.ts'
import { createSlices } from './slices.ts'
import { storedIndexes, storedTables } from './stored.ts'

/** The first schema (docs/reference/tables.md#tables). */
export const initial: Migration = {
  name: 'initial',
  async up(db, dialect) {
    await createTables(db, dialect, accountsTables, accountsIndexes)
    await createTables(db, dialect, channelsTables, channelsIndexes)
    await createTables(db, dialect, ledgerTables, ledgerIndexes)
    await createTables(db, dialect, activityTables, [...activityIndexes, ...logIndexes(dialect)])
    await createTables(db, dialect, storedTables, storedIndexes)
    if (dialect === 'sqlite') return
    await createSlices(db)
    await createSharedState(db)
  },
}
