import { cpSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { latestVersion } from '../../gateway/store/sqlite/migrate.ts'
import { aChild, aProcess } from './child.ts'
import { aFolder } from './house.ts'

const databaseIn = (folder: string) => join(folder, 'switchyard.db')

/** A folder after a gateway has ended, or was killed with much of its data in the write-ahead log. */
async function aUsedFolder(killed = false): Promise<string> {
  const folder = await aFolder()
  const { db, close } = await openDatabase(folder, 0)
  const rows = Array.from({ length: 300 }, (_, index) => ({
    username: `user${index}`,
    created_at: 0,
    remark: 'x'.repeat(200),
  }))
  await db.insertInto('users').values(rows).execute()
  writeFileSync(join(folder, 'ledger.journal'), '')
  const copy = await aFolder()
  if (killed) cpSync(folder, copy, { recursive: true })
  await close()
  if (!killed) cpSync(folder, copy, { recursive: true })
  return copy
}

const kinds: Record<string, (file: string) => void> = {
  'a header of garbage': (file) => overwrite(file, 0, 100),
  'half a file': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'an overwritten page': (file) => overwrite(file, 4096 * 2, 4096),
  'a text file': (file) => writeFileSync(file, 'my notes\n'.repeat(1000)),
}

describe('a damaged database (docs/reference/reliability.md#starting)', () => {
  it.each(Object.keys(kinds))('is refused with exit 4 and left unchanged: %s', async (kind) => {
    const folder = await aUsedFolder()
    kinds[kind]?.(databaseIn(folder))
    await expectRefused(folder, /is damaged; restore a backup from the same folder \(\*\.bak\)\n$/)
  })

  it('is refused with its write-ahead log, and neither is touched', async () => {
    const folder = await aUsedFolder(true)
    const log = `${databaseIn(folder)}-wal`
    expect(statSync(log).size).toBeGreaterThan(50_000)
    overwrite(log, 32, statSync(log).size - 32)
    overwrite(databaseIn(folder), 0, statSync(databaseIn(folder)).size)
    await expectRefused(folder, /is damaged/)
    const garbled = await aUsedFolder(true)
    overwrite(`${databaseIn(garbled)}-wal`, 0, 500)
    await expectRefused(garbled, /is damaged/)
  })

  it('is one that is gone from a folder that was used: it never becomes a new installation', async () => {
    const emptied = await aUsedFolder()
    truncateSync(databaseIn(emptied), 0)
    await expectRefused(emptied, /is missing or empty, but the folder was used before; restore a backup .*\n$/)
    const missing = await aUsedFolder()
    rmSync(databaseIn(missing))
    await expectRefused(missing, /is missing or empty/)
    expect(existsSync(databaseIn(missing))).toBe(false)
  })

  it('also includes one of a newer release, which is reported', async () => {
    const folder = await aFolder()
    const { writer, close } = await openDatabase(folder, 0)
    const future = latestVersion + 5
    writer.prepare('insert into schema_migrations values (?, ?, 0, ?)').run(future, 'future', future)
    await close()
    await expectRefused(
      folder,
      new RegExp(`^the database has schema version ${future}, but this release only supports up to ${latestVersion}: `),
    )
  })

  it('does not include the file of a start that was killed early, which is still empty', async () => {
    const folder = await aFolder()
    writeFileSync(databaseIn(folder), '')
    writeFileSync(join(folder, 'lock.db'), '')
    const { out } = await aChild({ folder })
    expect(out()).toContain('is listening')
  })
})

async function expectRefused(folder: string, said: RegExp): Promise<void> {
  const file = databaseIn(folder)
  const names = [file, `${file}-wal`].filter((name) => existsSync(name))
  const before = names.map((name) => readFileSync(name))
  const { code, err } = await aProcess({ folder }).ended
  expect([code, err]).toEqual([4, expect.stringMatching(said)])
  expect(err.trimEnd()).not.toContain('\n')
  expect(names.map((name) => readFileSync(name).equals(before[names.indexOf(name)] ?? Buffer.alloc(0)))).toEqual(
    names.map(() => true),
  )
}

function overwrite(file: string, from: number, length: number): void {
  const bytes = readFileSync(file)
  for (let at = from; at < Math.min(from + length, bytes.length); at += 1) bytes[at] = (at * 37 + 11) % 256
  writeFileSync(file, bytes)
}
