import { type GatewayError, refuse } from './errors.ts'

/** Why the database takes no write, or a disk no byte: no room, another program's lock, or anything else. */
type StorageFault = 'full' | 'locked' | 'unusable'

const FAULTS: readonly (readonly [RegExp, StorageFault])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT)$/, 'full'],
  [/^SQLITE_(BUSY|LOCKED)/, 'locked'],
  [/^SQLITE_(IOERR|READONLY|CANTOPEN)/, 'unusable'],
]

const KEYS = {
  full: 'relay.storageFull',
  locked: 'relay.storageLocked',
  unusable: 'relay.storageUnavailable',
} as const satisfies Record<StorageFault, string>

/** What an error, or what caused it, says of the disk or the database; undefined for every other error. */
export function storageFault(error: unknown): StorageFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    const found = FAULTS.find(([codes]) => codes.test(code))
    if (found) return found[1]
  }
  return undefined
}

/** The refusal of a call whose write SQLite has refused (docs/reference/reliability.md#faults); undefined for every other error. */
export function storageRefusal(error: unknown): GatewayError | undefined {
  const fault = storageFault(error)
  return fault && refuse('unavailable', KEYS[fault], {}, { code: STORAGE_UNAVAILABLE, cause: error })
}

/** The code of a refusal for want of a database that takes writes. */
export const STORAGE_UNAVAILABLE = 'storage_unavailable'
