import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nested } from '../../shared/messages/format.ts'
import { restoreHere } from '../backup/restore-here.ts'
import { createVault } from '../base/secrets/ciphers.ts'
import { BACKUP_FOLDER, isBackupName, newestVerified } from '../store/sqlite/backup-files.ts'
import { holdFolder } from '../store/sqlite/database.ts'
import { type Command, type CommandDeps, ENDS, failure, type Given, wrongUse } from './command.ts'
import { requireKey } from './data-key.ts'
import { keyIn } from './key.ts'
import { passphraseFlags } from './passphrase.ts'

const USAGE = 'usage: restore <file | name of a backup | latest> [--key <key file>] [--accept-differences]'

/** Replaces the database with a backup; the old database stays next to it (docs/reference/backup.md#restore). */
export const restore: Command = {
  args: '<file|name|latest>',
  about: 'checks a backup and replaces the database by it, while no gateway runs; the old database is not deleted',
  flags: {
    '--key': { value: 'key file', about: 'brings the data key of another machine along, as key export has written it' },
    '--accept-differences': { about: 'takes a backup whose balances differ from its ledger' },
    ...passphraseFlags,
  },
  async run(deps, input) {
    const [source, ...more] = input.args
    if (source === undefined || more.length > 0) throw wrongUse(USAGE)
    const { DATA_DIR: folder, DATABASE_URL: url } = deps.config
    if (url !== '') throw failure('the data is in PostgreSQL: restore it with pg_restore')
    // Fails before prompting for anything.
    holdFolder(folder).release()
    const file = fileOf(folder, source)
    const newKey = await newKeyOf(deps, input)
    const vault = createVault(newKey ?? (await currentKey(deps)))
    const mayDiffer = input.switches.includes('--accept-differences')
    const done = await restoreHere(file, {
      folder,
      clock: deps.clock,
      vault,
      newKey,
      mayDiffer,
      by: nested('log.shell'),
    })
    deps.print(`Restored: ${done.from}`)
    deps.print(`The previous database is in ${join(folder, done.replaced)}. Everybody has to log in again.`)
    return { result: { restored: done.from, replaced: join(folder, done.replaced), key_id: vault.keyId } }
  },
}

function fileOf(folder: string, source: string): string {
  if (source === 'latest') {
    const newest = newestVerified(folder)
    if (!newest) throw failure(`there is no verified backup in ${join(folder, BACKUP_FOLDER)}`, ENDS.badData)
    return newest.file
  }
  const own = join(folder, BACKUP_FOLDER, source)
  const file = isBackupName(source) && existsSync(own) ? own : resolve(source)
  if (!existsSync(file)) throw failure(`${file} does not exist`, ENDS.badData)
  return file
}

/**
 * The data key from `--key`, to be stored in the folder; undefined without that flag, or if the environment has the
 * same key.
 */
async function newKeyOf(deps: CommandDeps, input: Given): Promise<Buffer | undefined> {
  const file = input.values['--key']
  if (file === undefined) return undefined
  const brought = await keyIn(deps, input, file)
  const own = deps.config.SWITCHYARD_MASTER_KEY
  if (own && !own.equals(brought))
    throw failure('SWITCHYARD_MASTER_KEY gives another data key than the key file; put that one there, or unset it')
  return own ? undefined : brought
}

async function currentKey(deps: CommandDeps): Promise<Buffer> {
  requireKey(deps, 'bring it with --key <key file>')
  return deps.secrets.dataKey()
}
