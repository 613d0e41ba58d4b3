import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { silentLogger } from '../../../gateway/base/log/logger.ts'
import { readPostgres } from '../../../gateway/composition/postgres.ts'
import { readTargetMark, refuseMoved } from '../../../gateway/move/marks.ts'
import { moveData } from '../../../gateway/move/move-data.ts'
import { type ReadSide, untyped } from '../../../gateway/move/move-side.ts'
import { readSqlite } from '../../../gateway/move/sqlite-side.ts'
import { aProcess } from '../../process/child.ts'
import { aClock } from '../../support/clock.ts'
import { startPostgres } from '../../support/postgres-server.ts'
import {
  aFilledWorld,
  aNewFolder,
  anEmptyDatabase,
  KEY,
  moving,
  sumsOf,
  vault,
  withDatabase,
  withFolder,
} from './moving.ts'

const KILLS = 30
const SWITCHYARD_MASTER_KEY = KEY.toString('base64')
const deps = { clock: aClock(), log: silentLogger }

type Ends = Readonly<{ folder: string; config: Readonly<Record<string, string>>; to: string }>

const started = ({ folder, config, to }: Ends, ...words: string[]) =>
  aProcess({ folder, config: { SWITCHYARD_MASTER_KEY, ...config }, args: ['move', '--to', to, ...words] })

/** Runs the command to its end. The server may notice the death of the last one a moment later. */
async function finished(ends: Ends, ...words: string[]): Promise<string> {
  for (;;) {
    const { code, out, err } = await started(ends, ...words).ended
    if (err.includes('another move uses')) continue
    expect([code, err]).toEqual([0, ''])
    return out
  }
}

/** Whether a gateway may use the database, and there is data in it. */
async function isUsable(opened: ReadSide): Promise<boolean> {
  try {
    const tables = await opened.db.introspection.getTables()
    if (!tables.some(({ name }) => name === 'users')) return false
    const users = await opened.db.selectFrom('users').select('id').limit(1).execute()
    if (users.length === 0) return false
    await refuseMoved(opened.db, opened.location)
    return true
  } catch {
    return false
  } finally {
    await opened.close()
  }
}

const isFolderUsable = async (folder: string) =>
  existsSync(join(folder, 'switchyard.db')) && isUsable(readSqlite(folder))

/** Whether a move to this target was begun and is not finished. */
async function hasBegun({ to }: Ends, home: string): Promise<boolean> {
  if (to === home && !existsSync(join(home, 'switchyard.db'))) return false
  const opened = to === home ? readSqlite(home) : await readPostgres(to, deps)
  const mark = await readTargetMark(untyped(opened)).finally(opened.close)
  return mark?.isUsable === false
}

/** Resolves once a move has printed so many lines, which it does for each table, or has ended. */
async function printed(child: ReturnType<typeof started>, lines: number): Promise<void> {
  let isOver = false
  void child.ended.then(() => {
    isOver = true
  })
  while (!isOver && child.out().split('\n').length < lines) await sleep(1)
}

it('a move that is killed at 30 moments goes on, there and back, and never leaves two usable sides', {
  timeout: 900_000,
}, async () => {
  const { folder } = await aFilledWorld()
  await withFolder(folder, async ({ db }) => {
    const row = { user_id: 1, created_at: 1, type: 4, content: 'x'.repeat(200) }
    for (let step = 0; step < 30; step += 1) await db.insertInto('logs').values(Array(1000).fill(row)).execute()
  })
  const before = await withFolder(folder, sumsOf)
  const url = await anEmptyDatabase()
  const back = await aNewFolder()
  const node = await aNewFolder()
  const usable = async (home: string) => [await isFolderUsable(home), await isUsable(await readPostgres(url, deps))]
  const directions: readonly Readonly<{ ends: Ends; home: string; after: readonly boolean[] }>[] = [
    { ends: { folder, config: {}, to: url }, home: folder, after: [false, true] },
    { ends: { folder: node, config: { DATABASE_URL: url }, to: back }, home: back, after: [true, false] },
  ]
  for (const { ends, home, after } of directions) {
    const lines = (await finished(ends)).split('\n').length
    await finished(ends, '--undo')
    let unfinished = 0
    for (let kill = 0; kill < KILLS; kill += 1) {
      const child = started(ends)
      await printed(child, 1 + (lines * kill) / KILLS)
      child.kill('SIGKILL')
      const { code } = await child.ended
      const [inFolder, inDatabase] = await usable(home)
      expect(inFolder && inDatabase).toBe(false)
      if (code === null && (await hasBegun(ends, home))) unfinished += 1
      if (code === 0) await finished(ends, '--undo')
    }
    expect(unfinished, 'kills between the first and the last mark').toBeGreaterThan(KILLS / 5)
    await finished(ends)
    expect(await usable(home)).toEqual(after)
  }
  expect(await withDatabase(url, sumsOf)).toEqual(before)
  expect(await withFolder(back, sumsOf)).toEqual(before)
})

it.runIf(spawnSync('prlimit', ['--version']).status === 0)('a move goes on after the disk was full', async () => {
  const { folder } = await aFilledWorld()
  const url = await anEmptyDatabase()
  const ends = { folder: await aNewFolder(), config: { DATABASE_URL: url }, to: await aNewFolder() }
  await moving({ DATA_DIR: folder }, { '--to': url })
  const child = started(ends)
  expect(spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=1000000:unlimited']).status).toBe(0)
  const { code, err } = await child.ended
  expect([code, err]).toEqual([expect.toBeOneOf([1, 4, 5]), expect.stringMatching(/full|I\/O|migrated|opened/)])
  expect(await isFolderUsable(ends.to)).toBe(false)
  expect(await finished(ends)).toContain('Moved')
  expect(await withFolder(ends.to, sumsOf)).toEqual(await withDatabase(url, sumsOf))
})

it('a move goes on after the server was killed', async () => {
  const server = await startPostgres({ fsync: true })
  onTestFinished(server.stop)
  const { folder } = await aFilledWorld()
  const url = await server.database()
  for (const step of ['rows of logs', 'comparison of logs', 'the mark of the source']) {
    let killed: Promise<void> | undefined
    const onStep = (name: string) => {
      if (name !== step || killed) return
      killed = server.kill()
      // Its processes end before the next statement.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
    }
    const settings = { vault, clock: aClock(), isWithoutBodies: false, print: () => {}, onStep }
    const run = withFolder(folder, (source) => withDatabase(url, (target) => moveData({ ...settings, source, target })))
    await expect(run).rejects.toThrow()
    await killed
    expect(await isFolderUsable(folder)).toBe(step !== 'the mark of the source')
    await server.start()
  }
  await moving({ DATA_DIR: folder }, { '--to': url })
  expect(await withDatabase(url, sumsOf)).toEqual(await withFolder(folder, sumsOf))
})
