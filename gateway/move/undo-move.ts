import { sql } from 'kysely'
import { isSqlite } from '../store/match.ts'
import type { OnStep } from './copy-tables.ts'
import { emptyTarget } from './empty-target.ts'
import { readSourceMark, readTargetMark, writeSourceMark, writeTargetMark } from './marks.ts'
import { type MoveSide, refusal, untyped } from './move-side.ts'

/**
 * Empties the target and lets gateways use the source again. Throws `CannotStart` if the ledger of the target has rows
 * that the source does not have.
 */
export async function undoMove(source: MoveSide, target: MoveSide, onStep: OnStep = () => {}): Promise<void> {
  await target.refuseUse()
  const ours = await readSourceMark(untyped(source))
  const theirs = await readTargetMark(untyped(target))
  if (!ours || theirs?.source !== ours.id)
    throw refusal(`the data of ${source.location} was not moved to ${target.location}`)
  if (ours.movedTo && ours.movedTo.id !== theirs.id)
    throw refusal(`the data of ${source.location} was moved to ${ours.movedTo.location}`)
  if ((await readSourceMark(untyped(target)))?.movedTo)
    throw refusal(`the data of ${target.location} was moved on; undo that first`)
  await untyped(target)
    .transaction()
    .execute(async (db) => {
      const { rows } = await sql<{ id: number | null }>`select max(id) as id from ledger`.execute(db)
      if (theirs.isUsable && (rows[0]?.id ?? 0) > theirs.ledgerId)
        throw refusal(`${target.location} has charges or other movements of money since the move; move it back instead`)
      await writeTargetMark(db, { ...theirs, isUsable: false })
      await emptyTarget(db, isSqlite(target.db))
    })
  onStep('the mark of the target')
  await writeSourceMark(untyped(source), { id: ours.id })
  onStep('the mark of the source')
}
