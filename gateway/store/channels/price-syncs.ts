import type { Insertable } from 'kysely'
import type { PriceSyncRow, Schema } from '../schema/schema.ts'
import type { Db } from '../sqlite/database.ts'

type NewSync = Omit<Insertable<Schema['price_syncs']>, 'id'>

/** Max updates to store; older ones are deleted. */
const MAX_SYNCS = 10
const ROWS_A_STATEMENT = 400

/** The rates to store as last written for a model, as JSON; null removes the stored ones. */
export type SyncedRates = Readonly<{ model: string; rates: string | null }>

/**
 * The `price_syncs` and `synced_prices` tables: updates from catalogues, and the rates they last wrote for each model.
 */
export const priceSyncStore = (db: Db) => ({
  last: (): Promise<PriceSyncRow | undefined> =>
    db.selectFrom('price_syncs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst(),

  async add(row: NewSync, synced: readonly SyncedRates[]): Promise<number> {
    return db.transaction().execute(async (transaction) => {
      const { id } = await transaction.insertInto('price_syncs').values(row).returning('id').executeTakeFirstOrThrow()
      await transaction
        .deleteFrom('price_syncs')
        .where('id', '<=', Number(id) - MAX_SYNCS)
        .execute()
      await writeSynced(transaction, synced)
      return Number(id)
    })
  },

  async remove(id: number, synced: readonly SyncedRates[]): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('price_syncs').where('id', '=', id).execute()
      await writeSynced(transaction, synced)
    })
  },

  synced: () => db.selectFrom('synced_prices').selectAll().execute(),

  /** Records rates written outside an update, for example by a catalogue's scheduled prices. */
  note: (synced: readonly SyncedRates[]): Promise<void> =>
    db.transaction().execute((transaction) => writeSynced(transaction, synced)),
})

async function writeSynced(transaction: Db, synced: readonly SyncedRates[]): Promise<void> {
  for (let start = 0; start < synced.length; start += ROWS_A_STATEMENT) {
    const some = synced.slice(start, start + ROWS_A_STATEMENT)
    const removed = some.filter(({ rates }) => rates === null).map(({ model }) => model)
    const written = some.flatMap(({ model, rates }) => (rates === null ? [] : [{ model, rates }]))
    if (removed.length > 0) await transaction.deleteFrom('synced_prices').where('model', 'in', removed).execute()
    if (written.length > 0)
      await transaction
        .insertInto('synced_prices')
        .values(written)
        .onConflict((row) => row.column('model').doUpdateSet((next) => ({ rates: next.ref('excluded.rates') })))
        .execute()
  }
}
