import { join } from 'node:path'
import type { BackupsView, BackupView } from '../../shared/api/backup.ts'
import { BACKUP_FOLDER, backupsIn } from '../store/sqlite/backup-files.ts'
import { type Command, ENDS, failure, wrongUse } from './command.ts'
import { withGateway } from './with-gateway.ts'

const USAGE = 'usage: backup | backup list | backup remove <name>'

/** Makes, lists and removes backups (docs/reference/backup.md). */
export const backup: Command = {
  args: '[list | remove <name>]',
  about: 'makes a backup of the database and verifies it, also while a gateway runs; lists or removes backups',
  async run(deps, { args: [verb, name, ...more] }) {
    if (more.length > 0 || (verb !== 'remove' && name !== undefined)) throw wrongUse(USAGE)
    const folder = join(deps.config.DATA_DIR, BACKUP_FOLDER)
    if (verb === undefined)
      return withGateway(deps, async (shell) => {
        const { data } = await shell.request<{ data: BackupView }>('POST', '/api/backup')
        deps.print(`Backup made: ${join(folder, data.name)}`)
        deps.print(`It is ${(data.bytes / 1e6).toFixed(1)} MB and needs the data key ${data.key_id} (key export).`)
        if (data.is_verified) deps.print('It was verified: the file is whole, and its balances agree with the ledger.')
        else deps.print(`Balances in it that differ from their ledger: ${data.differences}`)
        return {
          result: { ...data, file: join(folder, data.name) },
          ...(data.is_verified ? {} : { exitCode: ENDS.failed }),
        }
      })
    if (verb === 'list') {
      const found = backupsIn(deps.config.DATA_DIR)
      for (const one of found) deps.print(lineOf(one))
      if (found.length === 0) deps.print(`There are no backups in ${folder}.`)
      return { result: found.map((one) => ({ ...one.description, ...pick(one) })) }
    }
    if (verb !== 'remove' || name === undefined) throw wrongUse(USAGE)
    if (!backupsIn(deps.config.DATA_DIR).some((one) => one.name === name)) throw failure(`no backup is called ${name}`)
    return withGateway(deps, async (shell) => {
      await shell.request<BackupsView & { data: null }>('DELETE', `/api/backup/${name}`)
      deps.print(`Deleted: ${name}`)
      return { result: { removed: name } }
    })
  },
}

type Listed = ReturnType<typeof backupsIn>[number]

const pick = ({ name, file, bytes, madeAt, isVerified }: Listed) => ({
  name,
  file,
  bytes,
  made_at: madeAt,
  is_verified: isVerified,
})

function lineOf({ name, bytes, madeAt, isVerified, description }: Listed): string {
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const state = isVerified ? 'verified' : 'not verified'
  const needs = description ? `, data key ${description.key_id}` : ''
  return `${name}  ${new Date(madeAt * 1000).toISOString()}  ${size}  ${state}${needs}`
}
