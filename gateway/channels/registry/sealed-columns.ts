import type { Logger } from '../../base/log/logger.ts'
import { UnreadableSecret, type Vault } from '../../base/secrets/ciphers.ts'
import { storageFault } from '../../base/storage-fault.ts'
import { channelStore, type VisibleChannel } from '../../store/channels/channels.ts'
import type { Db } from '../../store/sqlite/database.ts'
import type { Store } from '../../store/store.ts'
import { masked } from './masks.ts'

/** Columns that may contain secrets: passwords of a proxy, of headers and of overridden fields. */
const columns = ['setting', 'param_override'] as const
export type SealedColumns = Readonly<Record<(typeof columns)[number], string>>

const SEALED = 'v1.'

/** Decrypts both columns. Throws `UnreadableSecret` if one cannot be decrypted. */
export const openedColumns = (row: SealedColumns & { id: number }, vault: Pick<Vault, 'open'>): SealedColumns => ({
  setting: openedOf(row, 'setting', vault),
  param_override: openedOf(row, 'param_override', vault),
})

/** Decrypts the columns; one that cannot be decrypted is empty. */
export const readableColumns = (row: SealedColumns & { id: number }, vault: Vault): SealedColumns => ({
  setting: readable(() => openedOf(row, 'setting', vault)),
  param_override: readable(() => openedOf(row, 'param_override', vault)),
})

/** Seals the columns that are present to the row `id`, so that they cannot be decrypted in another row. */
export function sealedIn(changes: Partial<SealedColumns>, id: number, vault: Vault): Partial<SealedColumns> {
  const sealed = columns.flatMap((name) => {
    const text = changes[name]
    return text === undefined ? [] : [[name, text === '' ? '' : vault.seal(text, sealContext(id, name))] as const]
  })
  return Object.fromEntries(sealed)
}

export function shownRow<T extends VisibleChannel>(row: T, vault: Vault): T {
  if (row.setting === '' && row.param_override === '') return row
  const { setting, param_override } = readableColumns(row, vault)
  return { ...row, setting: masked(setting), param_override: masked(param_override) }
}

/**
 * Seals columns that older releases stored unencrypted; returns how many channels were changed. Runs on every start; if
 * it is killed at any point, the next start continues.
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

type SealDeps = Readonly<{ store: Pick<Store, 'db' | 'scrubbed'>; vault: Vault; log: Pick<Logger, 'error'> }>

/**
 * Runs `sealColumns` on start, without blocking the start if the disk accepts no writes: the rest is sealed on the next
 * start.
 */
export const sealAtStart = async ({ store, vault, log }: SealDeps): Promise<void> => {
  try {
    await store.scrubbed(() => sealColumns(store.db, vault))
  } catch (error) {
    if (!storageFault(error)) throw error
    log.error('secrets that an older release left in clear could not be sealed', { error })
  }
}

const sealContext = (id: number, name: keyof SealedColumns): string => `channels|${id}|${name}`

const openedOf = (
  row: SealedColumns & { id: number },
  name: keyof SealedColumns,
  vault: Pick<Vault, 'open'>,
): string => (row[name].startsWith(SEALED) ? vault.open(row[name], sealContext(row.id, name)) : row[name])

function readable(open: () => string): string {
  try {
    return open()
  } catch (error) {
    if (error instanceof UnreadableSecret) return ''
    throw error
  }
}
