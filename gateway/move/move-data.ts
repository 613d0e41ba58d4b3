import { sql } from 'kysely'
import type { Clock } from '../base/clock.ts'
import { randomKey } from '../base/ids.ts'
import type { Vault } from '../base/secrets/ciphers.ts'
import { isSqlite } from '../store/match.ts'
import { EXIT } from '../store/sqlite/database.ts'
import { compareBooks, differentTables } from './compare-sides.ts'
import { copyTable, type OnStep } from './copy-tables.ts'
import { emptyTarget } from './empty-target.ts'
import {
  createMarks,
  readSourceMark,
  readTargetMark,
  removeTableMarks,
  type SourceMark,
  type TargetMark,
  writeSourceMark,
  writeTargetMark,
} from './marks.ts'
import { type MoveSide, refusal, untyped } from './move-side.ts'
import { commonTables, type MovedTable, movedTables, tableWithRows } from './moved-tables.ts'
import { proveKey } from './prove-key.ts'
import { setSequences } from './sequences.ts'

type MoveDeps = Readonly<{
  source: MoveSide
  target: MoveSide
  /** The vault with the data key of the source. */
  vault: Vault
  clock: Clock
  isWithoutBodies: boolean
  print: (line: string) => void
  onStep?: OnStep
}>

/**
 * `replaced` counts texts that PostgreSQL cannot store; `differences` counts balances of the source that differ from
 * its ledger.
 */
type MoveReport = Readonly<{ rows: number; replaced: number; differences: number }>

/**
 * Copies the source into the target, compares both, and makes the target the only one that a gateway uses. Continues a
 * move that was interrupted at any moment. Returns undefined if the move was already finished. Throws `CannotStart`.
 */
export async function moveData(deps: MoveDeps): Promise<MoveReport | undefined> {
  const { source, target, clock, isWithoutBodies, print, onStep = () => {} } = deps
  await source.refuseUse()
  await target.refuseUse()
  await proveKey(source, deps.vault)
  const tables = await commonTables(source, target, isWithoutBodies)
  const marks = await begin(deps)
  if (marks.theirs.isUsable) return undefined
  onStep('begin')
  let [rows, replaced] = [0, 0]
  for (const table of tables) {
    const copied = await copyTable(untyped(source), untyped(target), table, onStep)
    rows += copied.rows
    replaced += copied.replaced
    if (copied.rows > 0) print(`${table.name}: ${copied.rows}`)
  }
  await setSequences(source, target, tables)
  onStep('sequences')
  print('All rows are copied; now both sides are read and compared.')
  const different = await differentTables(source, target, tables, onStep)
  if (different.length > 0) await giveUp(target, `the rows of ${different.join(', ')}`)
  const differences = await compareBooks(source, target, clock, onStep)
  if (differences === undefined) await giveUp(target, 'the balances')
  await finish(deps, marks, onStep)
  return { rows, replaced, differences: differences ?? 0 }
}

type Ends = Readonly<{
  source: Pick<MoveSide, 'db' | 'location'>
  target: Pick<MoveSide, 'db' | 'location'>
  isWithoutBodies: boolean
}>

type BothMarks = Readonly<{ ours: SourceMark; theirs: TargetMark }>

/**
 * The marks of both sides; undefined if the move has not begun. Changes nothing. Throws `CannotStart` if the target has
 * other data or is in use, if the source was moved before or is the target of an unfinished move, or if this move was
 * begun with another `isWithoutBodies`.
 */
export async function readBothMarks({ source, target, isWithoutBodies }: Ends): Promise<BothMarks | undefined> {
  const [ours, theirs] = await Promise.all([readSourceMark(untyped(source)), readTargetMark(untyped(target))])
  if ((await readTargetMark(untyped(source)))?.isUsable === false)
    throw refusal(`a move of data to ${source.location} is not finished`, EXIT.badData)
  if (ours?.movedTo && ours.movedTo.id !== theirs?.id)
    throw refusal(`the data of ${source.location} was moved to ${ours.movedTo.location} before`)
  if (ours && theirs?.source === ours.id) {
    if (theirs.isUsable && !ours.movedTo) throw refusal(`${target.location} is in use`)
    if (!theirs.isUsable && theirs.isWithoutBodies !== isWithoutBodies)
      throw refusal(`this move was begun ${theirs.isWithoutBodies ? 'with' : 'without'} --without bodies`)
    return { ours, theirs }
  }
  const filled = theirs ? 'another move' : await tableWithRows(untyped(target), await movedTables(target.db, false))
  if (filled !== undefined) throw refusal(`${target.location} is not empty (${filled})`)
  return undefined
}

async function begin(deps: MoveDeps): Promise<BothMarks> {
  const { source, target, isWithoutBodies } = deps
  const known = await readBothMarks(deps)
  if (known) return known
  const ours = (await readSourceMark(untyped(source))) ?? { id: randomKey(12) }
  const theirs = { id: randomKey(12), source: ours.id, isUsable: false, isWithoutBodies, ledgerId: 0 }
  await createMarks(untyped(source))
  await writeSourceMark(untyped(source), ours)
  await createMarks(untyped(target))
  await writeTargetMark(untyped(target), theirs)
  return { ours, theirs }
}

/** Empties the target and throws: the source may have been used between two runs of the move. */
async function giveUp(target: MoveSide, what: string): Promise<never> {
  await untyped(target)
    .transaction()
    .execute((db) => emptyTarget(db, isSqlite(target.db)))
  throw refusal(
    `${what} differ, as the source was used meanwhile; ${target.location} was emptied, run the command again`,
    EXIT.badData,
  )
}

/** First marks the source as moved, then the target as usable, so that a gateway can never start from both. */
async function finish({ source, target }: MoveDeps, { ours, theirs }: BothMarks, onStep: OnStep): Promise<void> {
  await source.refuseUse()
  await target.refuseUse()
  await writeSourceMark(untyped(source), { ...ours, movedTo: { id: theirs.id, location: target.location } })
  onStep('the mark of the source')
  await untyped(target)
    .transaction()
    .execute(async (db) => {
      const { rows } = await sql<{ id: number | null }>`select max(id) as id from ledger`.execute(db)
      if (!isSqlite(target.db)) await sql`delete from changes`.execute(db)
      await removeTableMarks(db)
      await writeTargetMark(db, { ...theirs, isUsable: true, ledgerId: rows[0]?.id ?? 0 })
    })
  onStep('the mark of the target')
}

export async function countRows(
  side: Pick<MoveSide, 'db'>,
  tables: readonly MovedTable[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { name, only } of tables) {
    const query = sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)} where ${sql.raw(only)}`
    counts.set(name, Number((await query.execute(untyped(side))).rows[0]?.rows ?? 0))
  }
  return counts
}
