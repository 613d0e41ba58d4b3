import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from './base/whole-file.ts'
import type { Config } from './config.ts'
import { CannotStart, EXIT } from './store/database.ts'

/** Keeps the one data key that seals everything secret in the database; the desktop keeps it in the OS keychain. */
export interface Secrets {
  /** The 32-byte data key; made on the first call of a new installation. */
  dataKey(): Promise<Buffer>
}

const FILE = 'master.key'

/**
 * Headless secrets: SWITCHYARD_MASTER_KEY where it is set, else an owner-only file beside the database, which protects
 * backups of the database alone. Refuses to start on a file that others can read or that holds no key.
 */
export const headlessSecrets = (config: Config): Secrets => ({
  async dataKey() {
    if (config.SWITCHYARD_MASTER_KEY) return config.SWITCHYARD_MASTER_KEY
    const file = join(config.DATA_DIR, FILE)
    return existsSync(file) ? read(file) : create(file)
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

/** The key is on the disk, whole, before anything can be sealed with it; the folder is locked by this process. */
function create(file: string): Buffer {
  const key = randomBytes(32)
  replaceFile(file, `${key.toString('base64')}\n`)
  return key
}
