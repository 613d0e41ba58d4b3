import { constants, copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ImportChoices, type ImportCounts, usualChoices } from '../../shared/api/import.ts'
import { role } from '../../shared/enums.ts'
import { formatMessage } from '../../shared/messages/format.ts'
import { type Clock, unixSeconds } from '../base/clock.ts'
import { GatewayError } from '../base/errors.ts'
import { randomKey } from '../base/ids.ts'
import { silentLogger } from '../base/log/logger.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { openSettings } from '../settings/settings.ts'
import { userStore } from '../store/accounts/users.ts'
import { optionTable } from '../store/options.ts'
import type { Db } from '../store/sqlite/database.ts'
import { forgetFile, shortName } from './import-file.ts'
import { reportedSettings } from './import-report-settings.ts'
import { optionsOf } from './imports.ts'
import { writeLogs } from './logs.ts'
import { hasWork, type ImportPlan } from './plan.ts'
import { type ReadFile, readImport } from './read-file.ts'
import { writePlan } from './write.ts'

export const importSwitches = [
  '--dry-run',
  '--history',
  '--overwrite',
  '--skip-names',
  '--root-is-mine',
  '--environment',
] as const

type ShellImport = Readonly<{
  db: Db
  vault: Vault
  clock: Clock
  /** The data folder. */
  folder: string
  file: string
  switches: readonly string[]
  environment: Readonly<Record<string, string | undefined>>
  print: (line: string) => void
}>

/** Max rows of one table per transaction: nothing else is waiting while no gateway runs. */
const MAX_ROWS = 1_000_000

/**
 * Imports a file from the command line while no gateway is running: prints the plan, and writes it unless it is a dry
 * run. Returns an error message, or undefined on success. If the usage log cannot be read, what was written before
 * remains.
 */
export async function importFromShell(input: ShellImport): Promise<string | undefined> {
  const { db, clock, folder, file, switches, print } = input
  if (!existsSync(file) || !statSync(file).isFile()) return `${file} is not a file`
  const [root] = await userStore(db).withRole(role.root)
  if (!root) return 'the setup has not been completed yet'
  const path = copyFile(file, folder)
  try {
    const settings = await openSettings({
      store: optionTable({ ...input, log: silentLogger }),
      listenAddress: () => '',
      warn: () => {},
    })
    const read = await readImport(path, {
      db,
      choices: choicesOf(input),
      importer: root.id,
      now: unixSeconds(clock),
      options: optionsOf(settings),
      maxRows: MAX_ROWS,
      onProgress: () => {},
    })
    try {
      printPlan(read.plan, print)
      if (switches.includes('--dry-run')) print('This was a dry run. Nothing was written.')
      else if (!hasWork(read.plan)) print('There is nothing to import.')
      else await carryOut(read, input, { id: root.id, username: '', fileName: shortName(file) })
    } finally {
      await read.close()
    }
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return formatMessage('en', error.key, error.params)
    throw error
  } finally {
    forgetFile({ path })
  }
}

async function carryOut(
  { plan, database }: ReadFile,
  { db, vault, clock, print }: ShellImport,
  by: Readonly<{ id: number; username: string; fileName: string }>,
) {
  const written = await writePlan(plan, { db, vault, clock, by })
  print('Imported.')
  if (!plan.logs.follow || !database) return
  const { signal } = new AbortController()
  await writeLogs({ db, database, plan, written, signal, onProgress: () => {} })
  print('The usage log was imported.')
}

/** Copies the file, so that SQLite may create its own files next to it; includes its write-ahead log. */
function copyFile(file: string, folder: string): string {
  const own = join(folder, 'import')
  mkdirSync(own, { recursive: true, mode: 0o700 })
  const path = join(own, randomKey(16))
  copyFileSync(file, path, constants.COPYFILE_FICLONE)
  if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${path}-wal`, constants.COPYFILE_FICLONE)
  return path
}

function choicesOf({ switches, environment }: ShellImport): ImportChoices {
  const has = (name: (typeof importSwitches)[number]) => switches.includes(name)
  const secrets = Object.entries(environment).flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  return {
    ...usualChoices,
    history: has('--history'),
    overwrite: has('--overwrite'),
    names: has('--skip-names') ? 'skip' : 'rename',
    root: has('--root-is-mine') ? 'mine' : 'admin',
    secrets: has('--environment') ? Object.fromEntries(secrets) : {},
  }
}

function printPlan({ origin, counts, options, remarks, variables }: ImportPlan, print: (line: string) => void): void {
  print(`The file is from ${origin}.`)
  for (const one of counts) if (one.found > 0) print(lineOf(one))
  for (const { key, before, after } of reportedSettings(options)) print(`  ${key}: ${before} -> ${after}`)
  for (const { table, row, key, params } of remarks.list)
    print(`  ${table} ${row}: ${formatMessage('en', key, params)}`)
  const more = remarks.total - remarks.list.length
  if (more > 0) print(`  and ${more} more`)
  if (variables.length > 0) print(`Not given: ${variables.join(', ')}`)
}

const lineOf = ({ table, comes, known, deleted, left_out }: ImportCounts): string =>
  `${table}: ${comes} new, ${known} already here, ${deleted} deleted there, ${left_out} left out`
