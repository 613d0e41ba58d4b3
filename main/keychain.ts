import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '../gateway/secrets.ts'

type Keychain = Pick<typeof import('keytar'), 'getPassword' | 'setPassword'>

const SERVICE = 'dev.switchyard.app'
const ANSWER_MS = 3000
const FILE = 'master.key'

/** Where the data key is kept: the system's keychain, or an owner-only file where there is none that answers. */
export type DesktopSecrets = Secrets & Readonly<{ kind: 'keychain' | 'file' }>

/**
 * The data key of one data folder, in the system's keychain. A keychain that is missing, locked or silent for three
 * seconds gives way to a 0600 file in the folder; a key that already lies in such a file stays there.
 */
export async function openKeychain(
  folder: string,
  load: () => Promise<Keychain> = loadKeytar,
): Promise<DesktopSecrets> {
  const file = join(folder, FILE)
  if (!existsSync(file)) {
    const keychain = await answering(load)
    if (keychain) return { kind: 'keychain', dataKey: () => keyIn(keychain, folder) }
  }
  return { kind: 'file', dataKey: async () => keyInFile(folder, file) }
}

async function answering(load: () => Promise<Keychain>): Promise<Keychain | undefined> {
  try {
    const keychain = await load()
    const probe = randomBytes(8).toString('hex')
    await within(ANSWER_MS, keychain.setPassword(SERVICE, 'probe', probe))
    return (await within(ANSWER_MS, keychain.getPassword(SERVICE, 'probe'))) === probe ? keychain : undefined
  } catch {
    // No native module, no libsecret, no session bus or a locked keyring: the file takes over, and `kind` says so.
    return undefined
  }
}

async function keyIn(keychain: Keychain, account: string): Promise<Buffer> {
  const kept = await keychain.getPassword(SERVICE, account)
  if (kept) return Buffer.from(kept, 'base64')
  const key = randomBytes(32)
  await keychain.setPassword(SERVICE, account, key.toString('base64'))
  return key
}

function keyInFile(folder: string, file: string): Buffer {
  if (existsSync(file)) return Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const key = randomBytes(32)
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  return key
}

async function loadKeytar(): Promise<Keychain> {
  return (await import('keytar')).default
}

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    setTimeout(reject, ms, new Error('the keychain does not answer')).unref(),
  )
  return Promise.race([promise, late])
}
