import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { silentLogger } from '../base/log/logger.ts'
import { createVault, type Vault } from '../base/secrets/ciphers.ts'
import { readSourceMark } from '../move/marks.ts'
import { countRows, moveData, readBothMarks } from '../move/move-data.ts'
import { type MoveSide, type ReadSide, untyped } from '../move/move-side.ts'
import { movedTables } from '../move/moved-tables.ts'
import { proveKey } from '../move/prove-key.ts'
import { openSqliteSide, readSqlite, refuseOtherFolder } from '../move/sqlite-side.ts'
import { undoMove } from '../move/undo-move.ts'
import { DATABASE_FILE, holdFolder } from '../store/sqlite/database.ts'
import { type Command, type CommandDeps, type CommandResult, ENDS, failure, wrongUse } from './command.ts'
import { requireDatabase } from './in-folder.ts'

const USAGE = 'usage: move --to <postgres URL or folder> [--dry-run] [--without bodies] [--undo]'

/** Moves the data between SQLite and PostgreSQL (docs/growth.md#move). */
export const move: Command = {
  about: 'moves the data from SQLite to PostgreSQL or back, while no gateway runs',
  flags: {
    '--to': { value: 'url|folder', about: 'a PostgreSQL database; if DATABASE_URL is set, an empty data folder' },
    '--dry-run': { about: 'reports what would be copied, and changes nothing' },
    '--without': { value: 'bodies', about: 'leaves out stored requests and responses' },
    '--undo': { about: 'empties the target and uses the source again, unless money has moved on the target' },
  },
  async run(deps, { args, switches, values }) {
    const { '--to': to = '', '--without': without } = values
    if (to === '' || args.length > 0 || (without !== undefined && without !== 'bodies')) throw wrongUse(USAGE)
    const ends = endsOf(deps, to)
    const vault = createVault(requireMasterKey(deps))
    const work = { ends, vault, isWithoutBodies: without !== undefined }
    if (switches.includes('--undo')) return resumable(() => undone(deps, work))
    return resumable(() => (switches.includes('--dry-run') ? counted(deps, work) : moved(deps, work)))
  },
}

/** `isToPostgres` is the direction; `folder` has the SQLite database. */
type Ends = Readonly<{ url: string; folder: string; isToPostgres: boolean }>
type Work = Readonly<{ ends: Ends; vault: Vault; isWithoutBodies: boolean }>

function endsOf({ config }: CommandDeps, to: string): Ends {
  const { DATA_DIR: folder, DATABASE_URL: url } = config
  if (/^postgres(ql)?:/.test(to)) {
    if (url !== '') throw wrongUse('unset DATABASE_URL to move the data of DATA_DIR to PostgreSQL')
    requireDatabase(config)
    return { url: to, folder, isToPostgres: true }
  }
  if (url === '') throw wrongUse('to move the data from PostgreSQL to a folder, set DATABASE_URL')
  if (existsSync(join(folder, DATABASE_FILE)))
    throw wrongUse(`DATA_DIR is the folder of a node; ${folder} has an SQLite database`)
  if (resolve(to) === folder) throw wrongUse('move to another folder than DATA_DIR')
  refuseOtherFolder(resolve(to))
  return { url, folder: resolve(to), isToPostgres: false }
}

function requireMasterKey({ config }: CommandDeps): Buffer {
  if (config.SWITCHYARD_MASTER_KEY) return config.SWITCHYARD_MASTER_KEY
  const file = join(config.DATA_DIR, 'master.key')
  const how = existsSync(file)
    ? `export SWITCHYARD_MASTER_KEY="$(cat '${file}')"`
    : 'set SWITCHYARD_MASTER_KEY to the data key of this data'
  throw failure(`a gateway on PostgreSQL has its data key in the environment; ${how}`, ENDS.badData)
}

async function moved(deps: CommandDeps, work: Work): Promise<CommandResult> {
  await checked(deps, work, async () => {})
  return withSides(deps, work.ends, async (source, target) => {
    const report = await moveData({ ...work, ...deps, source, target })
    if (!report) {
      deps.print(`The data of ${source.location} was moved to ${target.location} before.`)
      return { result: { from: source.location, to: target.location } }
    }
    const { rows, replaced, differences } = report
    deps.print(`Moved: ${rows} rows from ${source.location} to ${target.location}; both were read and are equal.`)
    if (replaced > 0) deps.print(`Texts in which U+0000 was replaced: ${replaced}`)
    if (differences > 0) deps.print(`Balances that differ from their ledger, as they did before: ${differences}`)
    const how = work.ends.isToPostgres
      ? 'Set DATABASE_URL, and DATA_DIR to a new folder'
      : `Unset DATABASE_URL, and set DATA_DIR to ${target.location}`
    deps.print(`${how}, and start the gateway. ${source.location} does not start any more.`)
    return { result: { from: source.location, to: target.location, ...report } }
  })
}

const undone = (deps: CommandDeps, { ends }: Work): Promise<CommandResult> =>
  withSides(deps, ends, async (source, target) => {
    await undoMove(source, target)
    deps.print(`Undone: a gateway may use ${source.location}; ${target.location} is empty.`)
    return { result: { from: source.location, to: target.location } }
  })

/** Locks and opens both ends; closes them after `work`. */
async function withSides<T>(
  deps: CommandDeps,
  { url, folder, isToPostgres }: Ends,
  work: (source: MoveSide, target: MoveSide) => Promise<T>,
): Promise<T> {
  const { openPostgresSide, writeJournals } = await postgresParts()
  const side = { clock: deps.clock, log: silentLogger }
  const lock = isToPostgres ? undefined : holdFolder(deps.config.DATA_DIR)
  const opened: MoveSide[] = []
  try {
    const postgres = await openPostgresSide(url, side)
    opened.push(postgres)
    if (!isToPostgres && !(await readSourceMark(untyped(postgres)))?.movedTo)
      await writeJournals(url, deps.config.DATA_DIR, side)
    const sqlite = await openSqliteSide(folder, side)
    opened.push(sqlite)
    return await (isToPostgres ? work(sqlite, postgres) : work(postgres, sqlite))
  } finally {
    for (const { close } of opened) await close()
    lock?.release()
  }
}

/** Carries out a dry run: prints how many rows of each table would be copied. */
const counted = (deps: CommandDeps, work: Work): Promise<CommandResult> =>
  checked(deps, work, async (source) => {
    const counts = await countRows(source, await movedTables(source.db, work.isWithoutBodies))
    const filled = [...counts].filter(([, rows]) => rows > 0)
    for (const [name, rows] of filled) deps.print(`${name}: ${rows}`)
    deps.print('Nothing was changed. Charges in journals are written by the move.')
    return { result: { tables: Object.fromEntries(filled) } }
  })

/**
 * Reads both ends without changing them: nothing is migrated or written until the data key and the target have been
 * checked.
 */
async function checked<T>(
  deps: CommandDeps,
  { ends, vault, isWithoutBodies }: Work,
  work: (source: ReadSide) => Promise<T>,
): Promise<T> {
  const { readPostgres } = await postgresParts()
  const opened: ReadSide[] = []
  try {
    const postgres = await readPostgres(ends.url, { clock: deps.clock, log: silentLogger })
    opened.push(postgres)
    const sqlite = existsSync(join(ends.folder, DATABASE_FILE)) ? readSqlite(ends.folder) : undefined
    if (sqlite) opened.push(sqlite)
    const [source, target] = ends.isToPostgres ? [sqlite, postgres] : [postgres, sqlite]
    if (!source) throw failure(`there is no database in ${ends.folder}`, ENDS.badData)
    await proveKey(source, vault)
    if (target) await readBothMarks({ source, target, isWithoutBodies })
    return await work(source)
  } finally {
    for (const { close } of opened) await close()
  }
}

/** Loads the code for PostgreSQL, which desktop packages leave out. */
const postgresParts = () =>
  import('../composition/postgres.ts').catch((cause: unknown) => {
    const isLeftOut = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    throw isLeftOut ? failure('a desktop package has no PostgreSQL; use the command of a server installation') : cause
  })

/** Adds to the message of a PostgreSQL error (a code of five characters) that the command may be run again. */
async function resumable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)))) throw error
    throw failure(`${error.message}; run the command again to go on`)
  }
}
