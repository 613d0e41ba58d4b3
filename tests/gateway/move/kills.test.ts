import { expect, it } from 'vitest'
import { refuseMoved } from '../../../gateway/move/marks.ts'
import { moveData } from '../../../gateway/move/move-data.ts'
import type { MoveSide } from '../../../gateway/move/move-side.ts'
import { undoMove } from '../../../gateway/move/undo-move.ts'
import { aClock } from '../../support/clock.ts'
import { aFilledWorld, aNewFolder, anEmptyDatabase, sumsOf, vault, withDatabase, withFolder } from './moving.ts'

type Open = <T>(work: (opened: MoveSide) => Promise<T>) => Promise<T>

const isUsable = ({ db, location }: MoveSide): Promise<boolean> =>
  refuseMoved(db, location).then(
    () => true,
    () => false,
  )

const both = <T>(source: Open, target: Open, work: (source: MoveSide, target: MoveSide) => Promise<T>): Promise<T> =>
  source((opened) => target((other) => work(opened, other)))

const usable = (source: Open, target: Open) =>
  both(source, target, async (one, other) => [await isUsable(one), await isUsable(other)])

/** Ends a move at the first step whose name begins with `kind`; returns the names of all steps up to there. */
async function movedUpTo(source: Open, target: Open, kind?: string): Promise<readonly string[]> {
  const steps: string[] = []
  const onStep = (step: string) => {
    steps.push(step)
    if (kind !== undefined && step.startsWith(kind)) throw new Error('killed')
  }
  const deps = { vault, clock: aClock(), isWithoutBodies: false, print: () => {}, onStep }
  const run = both(source, target, (one, other) => moveData({ ...deps, source: one, target: other }))
  await (kind === undefined ? run : expect(run).rejects.toThrow('killed'))
  return steps
}

const KINDS = ['begin', 'rows of logs', 'end of logs', 'rows of users', 'sequences', 'comparison', 'verification']

it('a move that is killed at any step goes on, there and back, and never leaves two usable sides', async () => {
  const { folder } = await aFilledWorld()
  const before = await withFolder(folder, sumsOf)
  const url = await anEmptyDatabase()
  const back = await aNewFolder()
  const here: Open = (work) => withFolder(folder, work)
  const there: Open = (work) => withDatabase(url, work)
  const home: Open = (work) => withFolder(back, work)
  for (const [source, target] of [
    [here, there],
    [there, home],
  ] as const) {
    for (const kind of KINDS) {
      await movedUpTo(source, target, kind)
      expect([kind, await usable(source, target)]).toEqual([kind, [true, false]])
    }
    await movedUpTo(source, target, 'the mark of the source')
    expect(await usable(source, target)).toEqual([false, false])
    await movedUpTo(source, target, 'the mark of the target')
    expect(await usable(source, target)).toEqual([false, true])
    expect(await target(sumsOf)).toEqual(before)
  }
})

it('a move whose source was used meanwhile begins from the start', async () => {
  const { folder } = await aFilledWorld()
  const url = await anEmptyDatabase()
  const source: Open = (work) => withFolder(folder, work)
  const target: Open = (work) => withDatabase(url, work)
  await movedUpTo(source, target, 'sequences')
  await source(({ db }) => db.updateTable('users').set({ remark: 'changed' }).execute())
  await expect(movedUpTo(source, target)).rejects.toThrow(/the rows of users differ.*run the command again/)
  expect(await usable(source, target)).toEqual([true, false])
  await movedUpTo(source, target)
  expect(await target(sumsOf)).toEqual(await source(sumsOf))
})

it('an undo that is killed goes on, and the data can be moved again', async () => {
  const { folder } = await aFilledWorld()
  const url = await anEmptyDatabase()
  const source: Open = (work) => withFolder(folder, work)
  const target: Open = (work) => withDatabase(url, work)
  await movedUpTo(source, target)
  const killed = both(source, target, (one, other) =>
    undoMove(one, other, () => {
      throw new Error('killed')
    }),
  )
  await expect(killed).rejects.toThrow('killed')
  expect(await usable(source, target)).toEqual([false, false])
  await both(source, target, undoMove)
  expect(await usable(source, target)).toEqual([true, false])
  await movedUpTo(source, target)
  expect(await usable(source, target)).toEqual([false, true])
  expect(await target(sumsOf)).toEqual(await source(sumsOf))
})
