import { UnreadableSecret, type Vault } from '../../base/ciphers.ts'
import type { Logger } from '../../base/logger.ts'
import { storageFault } from '../../base/storage-fault.ts'
import { channelStore, type VisibleChannel } from '../../store/channels.ts'
import type { Db } from '../../store/database.ts'
import type { Store } from '../../store/store.ts'
import { masked } from './masks.ts'

/** Columns that may hold passwords beside their settings: a proxy's, those of headers and fields that are overwritten. */
const columns = ['setting', 'param_override'] as const
export type SealedColumns = Readonly<Record<(typeof columns)[number], string>>

const SEALED = 'v1.'

/** Both columns in clear. Throws `UnreadableSecret` for what cannot be opened. */
export const openedColumns = (row: SealedColumns & { id: number }, vault: Vault): SealedColumns => ({
  setting: openedOf(row, 'setting', vault),
  param_override: openedOf(row, 'param_override', vault),
})

/** Opens the columns; what cannot be opened is empty. */
export const readableColumns = (row: SealedColumns & { id: number }, vault: Vault): SealedColumns => ({
  setting: readable(() => openedOf(row, 'setting', vault)),
  param_override: readable(() => openedOf(row, 'param_override', vault)),
})

/** Those of the columns that are written, sealed to their row. */
export function sealedIn(changes: Partial<SealedColumns>, id: number, vault: Vault): Partial<SealedColumns> {
  const given = columns.flatMap((name) => {
    const text = changes[name]
    return text === undefined ? [] : [[name, text === '' ? '' : vault.seal(text, placeOf(id, name))] as const]
  })
  return Object.fromEntries(given)
}

/** A row as it may leave the gateway: its secrets masked. */
export function shownRow<T extends VisibleChannel>(row: T, vault: Vault): T {
  if (row.setting === '' && row.param_override === '') return row
  const { setting, param_override } = readableColumns(row, vault)
  return { ...row, setting: masked(setting), param_override: masked(param_override) }
}

/**
 * Seals what older releases have left in clear; answers how many channels that were. Done again at every start: a row is
 * sealed or it is not, so a kill at any moment leaves only work for the next time.
 */
export async function sealColumns(db: Db, vault: Vault): Promise<number> {
  const rows = await channelStore(db).withClearText(SEALED)
  for (const row of rows) {
    const clear = columns.filter((name) => row[name] !== '' && !row[name].startsWith(SEALED))
    const changes = sealedIn(Object.fromEntries(clear.map((name) => [name, row[name]])), row.id, vault)
    await channelStore(db).update([row.id], changes)
  }
  return rows.length
}

type SealingAtStart = Readonly<{ store: Pick<Store, 'db' | 'scrubbed'>; vault: Vault; log: Pick<Logger, 'error'> }>

/** Does so at a start, which goes on where the disk takes no writes: what is not sealed then is at the next one. */
export const sealAtStart = async ({ store, vault, log }: SealingAtStart): Promise<void> => {
  try {
    await store.scrubbed(() => sealColumns(store.db, vault))
  } catch (error) {
    if (!storageFault(error)) throw error
    log.error('secrets that an older release left in clear could not be sealed', { error })
  }
}

const placeOf = (id: number, name: keyof SealedColumns): string => `channels|${id}|${name}`

const openedOf = (row: SealedColumns & { id: number }, name: keyof SealedColumns, vault: Vault): string =>
  row[name].startsWith(SEALED) ? vault.open(row[name], placeOf(row.id, name)) : row[name]

function readable(open: () => string): string {
  try {
    return open()
  } catch (error) {
    if (error instanceof UnreadableSecret) return ''
    throw error
  }
}
