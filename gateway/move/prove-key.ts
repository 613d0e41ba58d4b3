import { sql } from 'kysely'
import type { Vault } from '../base/secrets/ciphers.ts'
import { SEALED, sealedColumns } from '../store/sealed-values.ts'
import { EXIT } from '../store/sqlite/database.ts'
import { type ReadSide, refusal, untyped } from './move-side.ts'

/** Decrypts one value of each column in `sealedColumns`. Throws `CannotStart` if any was sealed with another key. */
export async function proveKey(side: Pick<ReadSide, 'db' | 'location'>, vault: Vault): Promise<void> {
  for (const { table, column, row } of sealedColumns) {
    const sealed = sql.ref(column)
    // Values that were sealed with other keys come first.
    const query = sql<{ id: string | number; sealed: string }>`
      select ${sql.ref(row)} as id, ${sealed} as sealed from ${sql.table(table)} where ${sealed} like ${SEALED}
      order by case when substr(${sealed}, 4, 8) = ${vault.keyId} then 1 else 0 end limit 1`
    const [found] = (await query.execute(untyped(side))).rows
    if (!found) continue
    try {
      vault.open(found.sealed, `${table}|${found.id}|${column}`)
    } catch {
      const keyId = found.sealed.slice(3, 11)
      throw refusal(
        `the data of ${side.location} is sealed with the data key ${keyId}, and SWITCHYARD_MASTER_KEY is ${vault.keyId}`,
        EXIT.badData,
      )
    }
  }
}
