import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './base/whole-file.ts'
import type { Config } from './config.ts'
import { keyIdsOf, sealedValuesIn } from './store/sealed-values.ts'
import { CannotStart, DATABASE_FILE, EXIT, LEDGER_JOURNAL } from './store/sqlite/database.ts'

/** Provides the data key that encrypts all secrets in the database; the desktop keeps it in the OS keychain. */
export interface Secrets {
  /** The 32-byte data key; created on the first call of a new installation. */
  dataKey(): Promise<Buffer>
}

const FILE = 'master.key'
/** A desktop's file with the names of its keychain entries. */
const KEYCHAIN_NAMES = 'installation-id'

/**
 * Headless secrets: SWITCHYARD_MASTER_KEY if set, else an owner-only file next to the database, which only protects
 * backups of the database. Throws if the file is readable by others or contains no key; never creates one for data
 * whose key is in a desktop's keychain or is lost.
 */
export const headlessSecrets = (config: Config): Secrets => ({
  async dataKey() {
    if (config.SWITCHYARD_MASTER_KEY) return config.SWITCHYARD_MASTER_KEY
    const file = join(config.DATA_DIR, FILE)
    if (existsSync(file)) return read(file)
    refuseWithKeychain(config.DATA_DIR)
    refuseWithSealedValues(config.DATA_DIR)
    return create(file)
  },
})

function read(file: string): Buffer {
  if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    throw new CannotStart(EXIT.badData, `${file} is readable by other users; run: chmod 600 ${file}`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32)
    throw new CannotStart(EXIT.badData, `${file} does not hold a data key; restore it from your backup`)
  return key
}

/**
 * A desktop's data is encrypted with the key in its keychain; with a new key file, the desktop would use the new key
 * instead.
 */
function refuseWithKeychain(folder: string): void {
  if (existsSync(join(folder, KEYCHAIN_NAMES)) && existsSync(join(folder, LEDGER_JOURNAL)))
    throw new CannotStart(
      EXIT.badData,
      `the data key of ${folder} is in the keychain of a desktop; export it there, or set SWITCHYARD_MASTER_KEY`,
    )
}

/** A new key could not decrypt existing data: the user, who may have the lost key elsewhere, must decide. */
function refuseWithSealedValues(folder: string): void {
  const database = join(folder, DATABASE_FILE)
  const lost = existsSync(database) ? keyIdsOf(sealedValuesIn(database)) : []
  if (lost.length === 0) return
  const repairs = [
    `put ${FILE} back`,
    'run: switchyard key import <key file>',
    'set SWITCHYARD_MASTER_KEY',
    'if the key is lost, run: switchyard key new, and enter all that was sealed again',
  ]
  const why = `the data in ${folder} is sealed with the data key ${lost.join(', ')}, which is not there`
  throw new CannotStart(EXIT.badData, `${why}; ${repairs.join('; or ')}`)
}

/** The key is completely on disk before it is used; this process has locked the folder. */
function create(file: string): Buffer {
  const key = randomBytes(32)
  replaceFile(file, `${key.toString('base64')}\n`)
  return key
}
