import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../gateway/config.ts'
import { headlessSecrets, type Secrets } from '../gateway/secrets.ts'
import { CannotStart, LEDGER_JOURNAL } from '../gateway/store/database.ts'

/** What is used of the system's keychain. */
export type Keychain = Pick<typeof import('keytar'), 'getPassword' | 'setPassword'>

/** Where the data key is kept: the system's keychain, an owner-only file, or the environment. */
export type DesktopSecrets = Secrets & Readonly<{ kind: 'keychain' | 'file' | 'environment' }>

/**
 * There is not a valid data key to start with. `silent`: no keychain answers, and nothing is sealed yet; `locked`: none answers,
 * and data is sealed; `missing`: it answers and has no key for sealed data; `unusable`: a key is there and is not good.
 */
export type KeyTrouble = 'silent' | 'locked' | 'missing' | 'unusable'

/** The start needs a person's decision on the data key (docs/reference/security.md#secrets-at-rest). */
export class NoDataKey extends Error {
  override readonly name = 'NoDataKey'
  readonly trouble: KeyTrouble
  constructor(trouble: KeyTrouble, message: string, cause?: unknown) {
    super(message, { cause })
    this.trouble = trouble
  }
}

export type KeychainDeps = Readonly<{
  config: Config
  /** The person has agreed that a new key is made: in the keychain, or in a 0600 file where none answers. */
  mayMakeKey: boolean
  load?: () => Promise<Keychain>
  /** How long the keychain may take; a locked one may ask for ever. */
  answerMs?: number
}>

const SERVICE = 'dev.switchyard.app'
const PROBE = 'probe'
const ANSWER_MS = 3000
const FILE = 'master.key'

/**
 * Finds the data key of the data folder: SWITCHYARD_MASTER_KEY, else a key file in the folder, else the system's
 * keychain, where a new installation gets one without a question. Throws `NoDataKey` instead of falling back silently,
 * and never makes a key beside sealed data unless the person has agreed; the key is made when it is first asked for.
 */
export async function openKeychain(deps: KeychainDeps): Promise<DesktopSecrets> {
  const { config, mayMakeKey, load = loadKeytar, answerMs = ANSWER_MS } = deps
  const folder = config.DATA_DIR
  if (config.SWITCHYARD_MASTER_KEY) return kept('environment', config)
  if (existsSync(join(folder, FILE))) return kept('file', config)
  const isSealed = existsSync(join(folder, LEDGER_JOURNAL))
  const answer = await ask(await load().catch(asFailure), folder, answerMs)
  if (answer instanceof Error) {
    if (mayMakeKey) return kept('file', config)
    throw new NoDataKey(isSealed ? 'locked' : 'silent', answer.message, answer)
  }
  const { keychain, password } = answer
  if (password === null && isSealed && !mayMakeKey)
    throw new NoDataKey('missing', `the keychain has no entry "${folder}" of "${SERVICE}"`)
  return { kind: 'keychain', dataKey: () => keyIn(keychain, password, folder) }
}

/** The key in a file or in the environment, exactly as for a server. */
function kept(kind: 'file' | 'environment', config: Config): DesktopSecrets {
  const { dataKey } = headlessSecrets(config)
  return {
    kind,
    async dataKey() {
      try {
        return await dataKey()
      } catch (cause) {
        throw cause instanceof CannotStart ? new NoDataKey('unusable', cause.message, cause) : cause
      }
    },
  }
}

type Answer = Readonly<{ keychain: Keychain; password: string | null }>

/** Writes and reads a probe, then reads the entry of the folder; a keychain that only seems to be there fails here. */
async function ask(keychain: Keychain | Error, folder: string, answerMs: number): Promise<Answer | Error> {
  if (keychain instanceof Error) return keychain
  try {
    const probe = randomBytes(8).toString('hex')
    await within(answerMs, keychain.setPassword(SERVICE, PROBE, probe))
    if ((await within(answerMs, keychain.getPassword(SERVICE, PROBE))) !== probe)
      return new Error('the keychain did not save the entry')
    return { keychain, password: await within(answerMs, keychain.getPassword(SERVICE, folder)) }
  } catch (error) {
    return asFailure(error)
  }
}

async function keyIn(keychain: Keychain, password: string | null, folder: string): Promise<Buffer> {
  const key = password === null ? randomBytes(32) : Buffer.from(password, 'base64')
  if (key.length !== 32)
    throw new NoDataKey('unusable', `the keychain entry "${folder}" of "${SERVICE}" is not a valid data key`)
  if (password !== null) return key
  try {
    await keychain.setPassword(SERVICE, folder, key.toString('base64'))
    return key
  } catch (error) {
    throw new NoDataKey('silent', asFailure(error).message, error)
  }
}

async function loadKeytar(): Promise<Keychain> {
  return (await import('keytar')).default
}

const asFailure = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)))

function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, ms, new Error(`the keychain did not respond within ${ms / 1000} s`))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
