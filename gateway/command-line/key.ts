import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openKey, sealKey } from '../backup/key-file.ts'
import { ownCommand } from '../base/own-command.ts'
import { createVault, keyIdOf } from '../base/secrets/ciphers.ts'
import { replaceFile } from '../base/whole-file.ts'
import { keyIdsOf, sealedValuesIn } from '../store/sealed-values.ts'
import { DATABASE_FILE, holdFolder } from '../store/sqlite/database.ts'
import { type Command, type CommandDeps, failure, type Given, wrongUse } from './command.ts'
import { passphraseFlags, passphraseFor } from './passphrase.ts'

const USAGE = 'usage: key export <file> | key import <file> | key new'

/**
 * Exports or imports the data key, encrypted with a passphrase, or creates a new one
 * (docs/reference/backup.md#the-data-key).
 */
export const key: Command = {
  args: 'export|import <file> | new',
  about:
    'writes the data key into a file under a passphrase, takes it over, or makes a new one in place of one that is lost',
  flags: passphraseFlags,
  async run(deps, input) {
    const [verb, file, ...more] = input.args
    if (verb === 'new' && file === undefined) return made(deps)
    if (file === undefined || more.length > 0) throw wrongUse(USAGE)
    if (verb === 'export') return exported(deps, input, file)
    if (verb === 'import') return imported(deps, input, file)
    throw wrongUse(USAGE)
  },
}

/** Only reads the key, so a gateway may be running. */
async function exported(deps: CommandDeps, input: Given, file: string) {
  const { DATA_DIR: folder, SWITCHYARD_MASTER_KEY: own } = deps.config
  if (!own && !existsSync(join(folder, 'master.key')))
    throw failure(`there is no data key in ${folder}; a desktop keeps it in the keychain: export it in the console`)
  if (existsSync(file)) throw failure(`${file} exists already`)
  const dataKey = await deps.secrets.dataKey()
  const sealed = await sealKey(dataKey, await passphraseFor(deps, input, true))
  replaceFile(file, `${JSON.stringify(sealed, undefined, 2)}\n`)
  deps.print(
    `The data key ${sealed.key_id} was written to ${file}. It can only be opened with the passphrase: keep both.`,
  )
  return { result: { key_id: sealed.key_id, file } }
}

/**
 * Imports only if the folder has no database, or has no key and its values were not all sealed with other keys;
 * `restore --key` replaces data and key together. A different key in the folder is kept under another name.
 */
async function imported(deps: CommandDeps, input: Given, file: string) {
  const { DATA_DIR: folder, SWITCHYARD_MASTER_KEY: own } = deps.config
  const dataKey = await keyIn(deps, input, file)
  if (own) throw failure('SWITCHYARD_MASTER_KEY gives the data key here; put the other one there, or unset it')
  const lock = holdFolder(folder)
  let replaced: string | undefined
  try {
    const target = join(folder, 'master.key')
    if (existsSync(target)) {
      const present = createVault(await deps.secrets.dataKey()).keyId
      if (present === keyIdOf(dataKey)) {
        deps.print(`The folder has this data key already: ${present}`)
        return { result: { key_id: present } }
      }
      if (existsSync(join(folder, DATABASE_FILE))) throw otherKeyFailure(folder, present, file)
      replaced = `${target}-${present}`
    }
    const needed = sealingKeysIn(folder)
    if (needed.length > 0 && !needed.includes(keyIdOf(dataKey))) throw otherKeyFailure(folder, needed.join(', '), file)
    if (replaced !== undefined) renameSync(target, replaced)
    replaceFile(target, `${dataKey.toString('base64')}\n`)
  } finally {
    lock.release()
  }
  deps.print(`The data key ${keyIdOf(dataKey)} is in ${folder} now.`)
  if (replaced !== undefined) deps.print(`The key that it replaces, which earlier backups may need, is in ${replaced}.`)
  return { result: { key_id: keyIdOf(dataKey) } }
}

/**
 * Creates a key for a folder whose data is encrypted with a lost one, which the gateway never does on start. Encrypted
 * values stay until they are entered again, and can be decrypted if the lost key is put back into the file.
 */
async function made({ config, print }: CommandDeps) {
  const { DATA_DIR: folder, SWITCHYARD_MASTER_KEY: own } = config
  if (own) throw failure('SWITCHYARD_MASTER_KEY gives the data key here; unset it first')
  const lock = holdFolder(folder)
  try {
    const target = join(folder, 'master.key')
    if (existsSync(target)) throw failure(`${folder} has a data key already: ${target}`)
    if (existsSync(join(folder, 'installation-id')))
      throw failure(`the data key of ${folder} is in the keychain of a desktop, which makes a new one where it is lost`)
    const lost = sealingKeysIn(folder)
    if (lost.length === 0) throw failure(`nothing in ${folder} is sealed; the first start makes a data key`)
    const dataKey = randomBytes(32)
    replaceFile(target, `${dataKey.toString('base64')}\n`)
    print(`A new data key ${keyIdOf(dataKey)} is in ${target}.`)
    print(
      `What was sealed with ${lost.join(', ')} cannot be read: enter the keys of channels and all secret options again.`,
    )
    print(
      `API tokens still work, but their keys cannot be shown. Who has an authenticator app needs: ${ownCommand()} reset-2fa <name>`,
    )
    return { result: { key_id: keyIdOf(dataKey), lost } }
  } finally {
    lock.release()
  }
}

function sealingKeysIn(folder: string): string[] {
  const database = join(folder, DATABASE_FILE)
  return existsSync(database) ? keyIdsOf(sealedValuesIn(database)) : []
}

const otherKeyFailure = (folder: string, keyId: string, file: string) =>
  failure(`the data in ${folder} is sealed with another key (${keyId}); use restore --key ${file}`)

export async function keyIn(deps: CommandDeps, input: Given, file: string): Promise<Buffer> {
  if (!existsSync(file)) throw failure(`${file} does not exist`)
  return openKey(readFileSync(file, 'utf8'), await passphraseFor(deps, input, false))
}
