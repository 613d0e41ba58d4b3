import type { ImportChoices, ImportCounts, ImportTable } from '../../shared/api/import.ts'
import type { MessageParams } from '../../shared/messages/format.ts'
import type { OptionKey } from '../../shared/options/index.ts'
import { refuse } from '../base/errors.ts'
import { sha256 } from '../base/ids.ts'
import { objectOf } from '../channels/registry/active-channel.ts'
import type { Db } from '../store/sqlite/database.ts'
import type { ForeignDatabase } from '../store/sqlite/foreign-database.ts'
import type { ForeignRow } from '../store/sqlite/foreign-rows.ts'
import { nameOf, wholeOf } from './cells.ts'
import { type ChannelReading, channelColumns, takeChannel } from './channels.ts'
import { familyOf } from './family.ts'
import { codeColumns, takeCode, takeTopUp, topUpColumns } from './history.ts'
import type { Known } from './known.ts'
import { type OptionReading, takeOption } from './options.ts'
import {
  type ImportPlan,
  type ImportTally,
  type PlannedCode,
  type PlannedToken,
  type PlannedTopUp,
  type PlannedUser,
  tallyOf,
} from './plan.ts'
import { marksOf, recognize } from './recognition.ts'
import { createRemarks, type Remarks } from './remarks.ts'
import { keyIn, takeToken, tokenColumns } from './tokens.ts'
import { takeUser, userColumns } from './users.ts'

export type PlanDeps = Readonly<{
  db: Db
  known: Known
  choices: ImportChoices
  importer: number
  now: number
  options: Pick<OptionReading, 'inForce' | 'usual'>
  /** Max rows of one table that may be imported in one transaction. */
  maxRows: number
  /** Called after each slice; throws to abort the reading. */
  onProgress: (table: ImportTable, done: number, total: number) => void
}>

type Walk = Readonly<{ database: ForeignDatabase; deps: PlanDeps; remarks: Remarks }>

/** Reads a gateway's database row by row and plans its import. Writes nothing. */
export async function planOf(database: ForeignDatabase, deps: PlanDeps): Promise<ImportPlan> {
  const origin = familyOf(database.tables)
  const recognition = await recognize(database, deps)
  const { source } = recognition
  const remarks = createRemarks()
  const walk = { database, deps, remarks }
  const users: PlannedUser[] = []
  const mine = new Map<number, number>()
  const { choices, known, importer, now } = deps
  const userTally = tallyOf('users')
  const common = { source, choices, known, importer, now, remarks, seen: new Set<string>() }
  await eachRow(walk, userTally, { columns: userColumns, isChosen: choices.accounts }, (row) =>
    takeUser(row, { ...common, recognition, tally: userTally, users, mine }),
  )
  const importedUsers = new Set(users.map(({ theirId }) => theirId))
  const hasOwner = (theirId: number) => importedUsers.has(theirId) || mine.has(theirId)
  const { tokens, known: knownTokens, tally: tokenTally } = await readTokens(walk, hasOwner, mine)
  const channels: ChannelReading = { ...common, origin, tally: tallyOf('channels'), channels: [], mine: new Map() }
  await eachRow(walk, channels.tally, { columns: channelColumns, isChosen: choices.channels }, (row) =>
    takeChannel(row, channels),
  )
  const { groups } = known
  const options: OptionReading = { ...deps.options, groups, choices, remarks, tally: tallyOf('options'), options: [] }
  let theirUnit = String(DEFAULT_UNIT)
  // Options are read even if not chosen, since the value of a quota unit is needed.
  await eachRow(walk, options.tally, { columns: ['key', 'value'], isChosen: true }, (row) => {
    if (row.key === 'QuotaPerUnit') theirUnit = String(row.value)
    if (choices.options === 'none') options.tally.left_out += 1
    else takeOption(row, options)
  })
  if (choices.options === 'none') reportNotChosen(walk, options.tally)
  reportUnit(theirUnit, options)
  reportGroups({ users, tokens, channels: channels.channels }, options)
  const { codes, tally: codeTally } = await readCodes(walk)
  const { topUps, tally: topUpTally } = await readTopUps(walk, hasOwner)
  const after = await loggedUpTo(deps.db, source)
  const counts: ImportCounts[] = [
    userTally,
    tokenTally,
    channels.tally,
    options.tally,
    codeTally,
    topUpTally,
    await logTally(walk, after, options),
  ]
  return {
    origin,
    source,
    users,
    marks: await marksOf(recognition, { known, imported: importedUsers }),
    tokens,
    channels: channels.channels,
    options: options.options,
    redemptions: codes,
    topUps,
    known: mine,
    knownTokens,
    knownChannels: channels.mine,
    logs: { follow: choices.history && database.tables.logs !== undefined, after },
    counts,
    remarks,
    variables: [],
  }
}

/** Default quota units per dollar. */
const DEFAULT_UNIT = 500_000

const valueAfter = ({ options, inForce }: OptionReading, key: OptionKey): string =>
  options.find((one) => one.key === key)?.value ?? inForce(key)

/** Reports a different quota unit, which changes the value of either the imported balances or the existing ones. */
function reportUnit(theirUnit: string, reading: OptionReading): void {
  const ours = reading.inForce('QuotaPerUnit')
  if (Number(theirUnit) === Number(ours)) return
  const params = { theirs: theirUnit, ours }
  const row = { table: 'options', row: 'QuotaPerUnit', params } as const
  if (reading.options.some(({ key }) => key === 'QuotaPerUnit'))
    reading.remarks.add({ ...row, outcome: 'changed', key: 'import.unit_changes' })
  else reading.remarks.add({ ...row, outcome: 'note', key: 'import.unit' })
}

function reportGroups(
  { users, tokens, channels }: Pick<ImportPlan, 'users' | 'tokens' | 'channels'>,
  reading: OptionReading,
): void {
  const ratios = objectOf(valueAfter(reading, 'GroupRatio')) ?? {}
  const used = [
    ...users.map(({ row }) => row.group ?? ''),
    ...tokens.map(({ row }) => row.group ?? ''),
    ...channels.flatMap(({ columns }) => columns.group.split(',')),
  ]
  for (const name of new Set(used))
    if (name !== '' && name !== 'auto' && !Object.hasOwn(ratios, name))
      reading.remarks.add({
        table: 'options',
        row: name,
        outcome: 'note',
        key: 'import.group_missing',
        params: { name },
      })
}

type Choice = Readonly<{ columns: readonly string[]; isChosen: boolean }>

async function eachSlice(
  { database, deps, remarks }: Walk,
  tally: ImportTally,
  { columns, isChosen }: Choice,
  take: (rows: readonly ForeignRow[]) => Promise<void>,
): Promise<void> {
  const total = database.tables[tally.table]?.rows ?? 0
  tally.found = total
  if (isChosen && total > deps.maxRows)
    throw refuse('invalid', 'import.too_many', { limit: deps.maxRows, table: tally.table })
  if (!isChosen) {
    tally.left_out = total
    reportNotChosen({ remarks }, tally)
    return
  }
  let done = 0
  for await (const rows of database.rows(tally.table, columns)) {
    await take(rows)
    done += rows.length
    deps.onProgress(tally.table, done, total)
  }
}

function reportNotChosen({ remarks }: Pick<Walk, 'remarks'>, { table, found }: ImportTally): void {
  if (found > 0) remarks.add({ table, row: '*', outcome: 'note', key: 'import.not_chosen' })
}

const eachRow = (walk: Walk, tally: ImportTally, choice: Choice, take: (row: ForeignRow) => void): Promise<void> =>
  eachSlice(walk, tally, choice, async (rows) => rows.forEach(take))

/** `users` maps ids in the file to ids here, for users that already exist. */
async function readTokens(walk: Walk, hasOwner: (theirId: number) => boolean, users: ReadonlyMap<number, number>) {
  const tokens: PlannedToken[] = []
  const known = new Map<number, number>()
  const tally = tallyOf('tokens')
  const reading = { hasOwner, remarks: walk.remarks, tally, tokens, seen: new Set<string>() }
  await eachSlice(walk, tally, { columns: tokenColumns, isChosen: walk.deps.choices.accounts }, async (rows) => {
    const hashes = rows.map((row) => sha256(keyIn(row)))
    const found = await walk.deps.db
      .selectFrom('tokens')
      .select(['id', 'user_id', 'key_hash'])
      .where('key_hash', 'in', hashes)
      .execute()
    const byHash = new Map(found.map((token) => [token.key_hash, token]))
    for (const row of rows) {
      takeToken(row, byHash, reading)
      const own = byHash.get(sha256(keyIn(row)))
      if (own && own.user_id === users.get(wholeOf(row, 'user_id'))) known.set(wholeOf(row, 'id'), own.id)
    }
  })
  return { tokens, known, tally }
}

async function readCodes(walk: Walk) {
  const taken: PlannedCode[] = []
  const tally = tallyOf('redemptions')
  const reading = { remarks: walk.remarks, tally, taken, seen: new Set<string>() }
  await eachSlice(walk, tally, { columns: codeColumns, isChosen: walk.deps.choices.redemptions }, async (rows) => {
    const keys = rows.map((row) => nameOf(row, 'key', 200))
    const found = await walk.deps.db.selectFrom('redemptions').select('key').where('key', 'in', keys).execute()
    const isHere = new Set(found.map(({ key }) => key))
    for (const row of rows) takeCode(row, isHere, reading)
  })
  return { codes: taken, tally }
}

async function readTopUps(walk: Walk, hasOwner: (theirId: number) => boolean) {
  const taken: PlannedTopUp[] = []
  const tally = tallyOf('top_ups')
  const reading = { remarks: walk.remarks, tally, taken, seen: new Set<string>() }
  await eachSlice(walk, tally, { columns: topUpColumns, isChosen: walk.deps.choices.history }, async (rows) => {
    const numbers = rows.map((row) => nameOf(row, 'trade_no', 255))
    const found = await walk.deps.db.selectFrom('top_ups').select('trade_no').where('trade_no', 'in', numbers).execute()
    const isHere = new Set(found.map(({ trade_no }) => trade_no))
    for (const row of rows) takeTopUp(row, { isHere, hasOwner }, reading)
  })
  return { topUps: taken, tally }
}

/** The log is read only while it is imported, so only the number of its rows is known here. */
async function logTally(walk: Walk, after: number, options: OptionReading): Promise<ImportTally> {
  const { database, deps, remarks } = walk
  const found = database.tables.logs?.rows ?? 0
  const tally = tallyOf('logs', found)
  if (!deps.choices.history) {
    tally.left_out = found
    reportNotChosen({ remarks }, tally)
    return tally
  }
  // Row ids are consecutive, so at most this many rows have been imported before.
  tally.known = Math.min(after, found)
  tally.comes = found - tally.known
  await reportRetention(walk, { after, comes: tally.comes }, options)
  return tally
}

const DAY_S = 86_400

async function reportRetention(
  { database, deps, remarks }: Walk,
  { after, comes }: Readonly<{ after: number; comes: number }>,
  options: OptionReading,
): Promise<void> {
  const note = (key: 'import.logs_old' | 'import.logs_size', params: MessageParams) =>
    remarks.add({ table: 'logs', row: '*', outcome: 'note', key, params })
  const days = Number(valueAfter(options, 'LogRetentionDays'))
  const below = deps.now - days * DAY_S
  const old = days > 0 ? await database.countBelow('logs', 'created_at', { below, after: BigInt(after) }) : 0
  if (old > 0) note('import.logs_old', { old, days })
  const megabytes = Number(valueAfter(options, 'LogRetentionMegabytes'))
  if (megabytes > 0 && comes > 0) note('import.logs_size', { megabytes })
}

async function loggedUpTo(db: Db, source: string): Promise<number> {
  const { last } = await db
    .selectFrom('imports')
    .select(({ fn }) => fn.max<number | null>('logs_after').as('last'))
    .where('source', '=', source)
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}
