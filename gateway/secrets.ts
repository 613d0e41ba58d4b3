import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './base/whole-file.ts'
import type { Config } from './config.ts'
import { keyIdsOf, sealedValuesIn } from './store/sealed-values.ts'
import { CannotStart, DATABASE_FILE, EXIT, LEDGER_JOURNAL } from './store/sqlite/database.ts'

/** Keeps the one data key that seals everything secret in the database; the desktop keeps it in the OS keychain. */
export interface Secrets {
  /** The 32-byte data key; made on the first call of a new installation. */
  dataKey(): Promise<Buffer>
}

const FILE = 'master.key'
/** A desktop's, with the names of its entries in the keychain. */
const KEYCHAIN_NAMES = 'installation-id'

/**
 * Headless secrets: SWITCHYARD_MASTER_KEY where it is set, else an owner-only file beside the database, which protects
 * backups of the database alone. Refuses to start on a file that others can read or that holds no key, and to make one beside
 * data whose key a desktop keeps, or that is sealed with one that is gone.
 */
export const headlessSecrets = (config: Config): Secrets => ({
  async dataKey() {
    if (config.SWITCHYARD_MASTER_KEY) return config.SWITCHYARD_MASTER_KEY
    const file = join(config.DATA_DIR, FILE)
    if (existsSync(file)) return read(file)
    refuseBesideKeychain(config.DATA_DIR)
    refuseBesideSealed(config.DATA_DIR)
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

/** Data of a desktop is sealed with a key of its keychain, in whose place the desktop would take a new file. */
function refuseBesideKeychain(folder: string): void {
  if (existsSync(join(folder, KEYCHAIN_NAMES)) && existsSync(join(folder, LEDGER_JOURNAL)))
    throw new CannotStart(
      EXIT.badData,
      `the data key of ${folder} is in the keychain of a desktop; export it there, or set SWITCHYARD_MASTER_KEY`,
    )
}

/** A new key could open nothing of what is there: that is for a person to say, who may have the lost one elsewhere. */
function refuseBesideSealed(folder: string): void {
  const database = join(folder, DATABASE_FILE)
  const lost = existsSync(database) ? keyIdsOf(sealedValuesIn(database)) : []
  if (lost.length === 0) return
  const ways = [
    `put ${FILE} back`,
    'run: switchyard key import <key file>',
    'set SWITCHYARD_MASTER_KEY',
    'if the key is lost, run: switchyard key new, and enter all that was sealed again',
  ]
  const why = `the data in ${folder} is sealed with the data key ${lost.join(', ')}, which is not there`
  throw new CannotStart(EXIT.badData, `${why}; ${ways.join('; or ')}`)
}

/** The key is on the disk, whole, before anything can be sealed with it; the folder is locked by this process. */
function create(file: string): Buffer {
  const key = randomBytes(32)
  replaceFile(file, `${key.toString('base64')}\n`)
  return key
}
