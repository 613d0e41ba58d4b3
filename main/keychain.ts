import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../gateway/config.ts'
import { headlessSecrets, type Secrets } from '../gateway/secrets.ts'
import { CannotStart, LEDGER_JOURNAL } from '../gateway/store/sqlite/database.ts'
import { newId, readIds, storeId } from './installation-id.ts'

export type Keychain = Pick<typeof import('keytar'), 'getPassword' | 'setPassword'>

/** Where the data key is stored: the system's keychain, an owner-only file, or the environment. */
type DesktopSecrets = Secrets & Readonly<{ kind: 'keychain' | 'file' | 'environment' }>

/**
 * Why there is no valid data key. `silent`: no keychain responds, and nothing is encrypted yet, or the keychain does
 * not store a new key; `locked`: none responds, and there is encrypted data; `missing`: the keychain responds but has
 * no key for the encrypted data; `unusable`: the key is invalid.
 */
export type KeyTrouble = 'silent' | 'locked' | 'missing' | 'unusable'

/** The start needs the user's decision on the data key (docs/reference/security.md#secrets-at-rest). */
export class NoDataKey extends Error {
  override readonly name = 'NoDataKey'
  readonly trouble: KeyTrouble
  /**
   * A keychain request that is still running, for example while the keychain requests its own password; the next
   * attempt waits for it.
   */
  readonly pending: Pending | undefined
  constructor(
    trouble: KeyTrouble,
    message: string,
    { cause, pending }: { cause?: unknown; pending?: Pending | undefined } = {},
  ) {
    super(message, { cause })
    this.trouble = trouble
    this.pending = pending
  }
}

type KeychainDeps = Readonly<{
  config: Config
  /** The user has agreed to create a new key: in the keychain, or in a 0600 file if none responds. */
  mayMakeKey: boolean
  /** From the previous attempt, to avoid a second concurrent request. */
  pending?: Pending | undefined
  load?: () => Promise<Keychain>
  /** Milliseconds to wait for the keychain before showing the startup page. */
  answerMs?: number
}>

/**
 * The program's id, as in electron-builder.yml: its keychain service name and Windows identity; it must not change
 * (docs/releasing.md#the-id).
 */
export const APP_ID = 'dev.switchyard.app'
const PROBE = 'probe'
/**
 * Milliseconds to wait for the keychain; more on macOS, which requests the user's password after each update of an
 * unsigned program.
 */
const ANSWER_MS = process.platform === 'darwin' ? 60_000 : 3000
const FILE = 'master.key'

/**
 * Finds the data key of the data folder: SWITCHYARD_MASTER_KEY, else a key file in the folder, else the system's
 * keychain, where a new installation creates one without asking. Throws `NoDataKey` instead of falling back silently.
 * If there is encrypted data, a new key is created only if the user has agreed and the keychain reports that it has
 * none; it is created on first use, and former keys are preserved.
 */
export async function openKeychain(deps: KeychainDeps): Promise<DesktopSecrets> {
  const { config, mayMakeKey, load = loadKeytar, answerMs = ANSWER_MS } = deps
  const folder = config.DATA_DIR
  if (config.SWITCHYARD_MASTER_KEY) return storedKey('environment', config)
  if (existsSync(join(folder, FILE))) return storedKey('file', config)
  const isSealed = existsSync(join(folder, LEDGER_JOURNAL))
  const answering = deps.pending ?? query(load, folder)
  const answer = await within(answerMs, answering)
  if (answer === undefined || answer instanceof Error) {
    if (mayMakeKey && !isSealed) return storedKey('file', config)
    const reason = answer?.message ?? `the keychain did not respond within ${answerMs / 1000} s`
    const pending = answer === undefined ? answering : undefined
    throw new NoDataKey(isSealed ? 'locked' : 'silent', reason, { cause: answer, pending })
  }
  const { password, id } = answer
  if (password === null && isSealed && !mayMakeKey)
    throw new NoDataKey('missing', `the keychain has no entry "${id ?? folder}" of "${APP_ID}"`)
  return { kind: 'keychain', dataKey: () => keyIn(answer, folder) }
}

/** A key in a file or the environment, as on a server. */
function storedKey(kind: 'file' | 'environment', config: Config): DesktopSecrets {
  const { dataKey } = headlessSecrets(config)
  return {
    kind,
    async dataKey() {
      try {
        return await dataKey()
      } catch (cause) {
        throw cause instanceof CannotStart ? new NoDataKey('unusable', cause.message, { cause }) : cause
      }
    },
  }
}

/**
 * A keychain that responded, the key in its entry for a folder (null without an entry), and the entry's id (undefined
 * if the entry is named by the folder's path).
 */
type Answer = Readonly<{ keychain: Keychain; password: string | null; id: string | undefined }>
/** A keychain request; never rejects. */
type Pending = Promise<Answer | Error>

/** Writes and reads a probe, then reads the folder's entry; a keychain that only seems to exist fails here. */
async function query(load: () => Promise<Keychain>, folder: string): Pending {
  try {
    const keychain = await load()
    const probe = randomBytes(8).toString('hex')
    await keychain.setPassword(APP_ID, PROBE, probe)
    if ((await keychain.getPassword(APP_ID, PROBE)) !== probe) return new Error('the keychain did not save the entry')
    const [id] = readIds(folder)
    if (id !== undefined) return { keychain, id, password: await keychain.getPassword(APP_ID, id) }
    // The first release named its entries by the folder's path, which changes if the data is moved.
    return { keychain, id, password: await keychain.getPassword(APP_ID, folder) }
  } catch (error) {
    return asFailure(error)
  }
}

/** The key found, or a new one under a new name; entries are never overwritten. */
async function keyIn({ keychain, password, id }: Answer, folder: string): Promise<Buffer> {
  const key = password === null ? randomBytes(32) : Buffer.from(password, 'base64')
  if (key.length !== 32)
    throw new NoDataKey('unusable', `the keychain entry "${id ?? folder}" of "${APP_ID}" is not a valid data key`)
  if (password !== null && id !== undefined) return key
  const name = newId()
  try {
    await keychain.setPassword(APP_ID, name, key.toString('base64'))
  } catch (cause) {
    throw new NoDataKey('silent', asFailure(cause).message, { cause })
  }
  storeId(folder, name)
  return key
}

async function loadKeytar(): Promise<Keychain> {
  return (await import('keytar')).default
}

const asFailure = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

/** Resolves to undefined on timeout. */
function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(resolve, ms, undefined)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
