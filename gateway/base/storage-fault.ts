import { type GatewayError, refuse } from './errors.ts'

type StorageFault = 'full' | 'locked' | 'unusable'

/**
 * Codes of the file system, of SQLite, and of PostgreSQL: locks, deadlocks and timeouts, connections, resources,
 * shutdown.
 */
const FAULTS: readonly (readonly [RegExp, StorageFault])[] = [
  [/^(SQLITE_FULL|ENOSPC|EDQUOT|53100)$/, 'full'],
  [/^(SQLITE_(BUSY|LOCKED).*|55P03|57014|40001|40P01)$/, 'locked'],
  [/^(SQLITE_(IOERR|READONLY|CANTOPEN).*|(08|53|57P)[0-9A-Z]+)$/, 'unusable'],
]

const KEYS = {
  full: 'relay.storageFull',
  locked: 'relay.storageLocked',
  unusable: 'relay.storageUnavailable',
} as const satisfies Record<StorageFault, string>

/** Classifies an error, or its causes, as a fault of the disk or the database; returns undefined for other errors. */
export function storageFault(error: unknown): StorageFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = 'code' in at ? String(at.code) : ''
    const found = FAULTS.find(([codes]) => codes.test(code))
    if (found) return found[1]
  }
  return undefined
}

/**
 * Returns the refusal of a call whose write failed (docs/reference/reliability.md#faults), or undefined for other
 * errors.
 */
export function storageRefusal(error: unknown): GatewayError | undefined {
  const fault = storageFault(error)
  return fault && refuse('unavailable', KEYS[fault], {}, { code: STORAGE_UNAVAILABLE, cause: error })
}

export const STORAGE_UNAVAILABLE = 'storage_unavailable'
