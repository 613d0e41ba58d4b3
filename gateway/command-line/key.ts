import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealingKeysIn } from '../backup/checked-copy.ts'
import { openKey, sealKey } from '../backup/key-file.ts'
import { createVault, keyIdOf } from '../base/ciphers.ts'
import { replaceFile } from '../base/whole-file.ts'
import { DATABASE_FILE, holdFolder } from '../store/database.ts'
import { type Command, type CommandDeps, failure, type Given, wrongUse } from './command.ts'
import { passphraseFlags, passphraseFor } from './passphrase.ts'

const USAGE = 'usage: key export <file> | key import <file>'

/** Takes the data key out under a passphrase and in again (docs/reference/backup.md#the-data-key). */
export const key: Command = {
  words: 'export|import <file>',
  about: 'writes the data key into a file under a passphrase, or takes it over into a folder that has none',
  flags: passphraseFlags,
  async run(deps, given) {
    const [verb, file, ...more] = given.words
    if (file === undefined || more.length > 0) throw wrongUse(USAGE)
    if (verb === 'export') return exported(deps, given, file)
    if (verb === 'import') return imported(deps, given, file)
    throw wrongUse(USAGE)
  },
}

/** Reads the key alone, so a gateway may run. */
async function exported(deps: CommandDeps, given: Given, file: string) {
  const { DATA_DIR: folder, SWITCHYARD_MASTER_KEY: own } = deps.config
  if (!own && !existsSync(join(folder, 'master.key')))
    throw failure(`there is no data key in ${folder}; a desktop keeps it in the keychain: export it in the console`)
  if (existsSync(file)) throw failure(`${file} exists already`)
  const dataKey = await deps.secrets.dataKey()
  const sealed = await sealKey(dataKey, await passphraseFor(deps, given, true))
  writeFileSync(file, `${JSON.stringify(sealed, undefined, 2)}\n`, { flag: 'wx', mode: 0o600 })
  deps.say(`The data key ${sealed.key_id} was written to ${file}. It opens with the passphrase alone: keep both.`)
  return { result: { key_id: sealed.key_id, file } }
}

/** Only into a folder without data, or that has lost this very key: else `restore --key` brings both together. */
async function imported(deps: CommandDeps, given: Given, file: string) {
  const { DATA_DIR: folder, SWITCHYARD_MASTER_KEY: own } = deps.config
  const dataKey = await keyIn(deps, given, file)
  if (own) throw failure('SWITCHYARD_MASTER_KEY gives the data key here; put the other one there, or unset it')
  const held = holdFolder(folder)
  try {
    const target = join(folder, 'master.key')
    if (existsSync(target)) {
      const present = createVault(await deps.secrets.dataKey()).keyId
      if (present === keyIdOf(dataKey)) {
        deps.say(`The folder has this data key already: ${present}`)
        return { result: { key_id: present } }
      }
      if (existsSync(join(folder, DATABASE_FILE))) throw sealedOtherwise(folder, present, file)
    }
    const needed = existsSync(join(folder, DATABASE_FILE)) ? await sealingKeysIn(join(folder, DATABASE_FILE)) : []
    if (needed.length > 0 && !needed.includes(keyIdOf(dataKey))) throw sealedOtherwise(folder, needed.join(', '), file)
    replaceFile(target, `${dataKey.toString('base64')}\n`)
  } finally {
    held.release()
  }
  deps.say(`The data key ${keyIdOf(dataKey)} is in ${folder} now.`)
  return { result: { key_id: keyIdOf(dataKey) } }
}

const sealedOtherwise = (folder: string, keyId: string, file: string) =>
  failure(`the data in ${folder} is sealed with another key (${keyId}); use restore --key ${file}`)

/** The data key in a key file. */
export async function keyIn(deps: CommandDeps, given: Given, file: string): Promise<Buffer> {
  if (!existsSync(file)) throw failure(`${file} does not exist`)
  return openKey(readFileSync(file, 'utf8'), await passphraseFor(deps, given, false))
}
