import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { latestVersion } from '../../gateway/store/sqlite/migrate.ts'
import { aChild, aProcess } from './child.ts'
import { aFolder } from './house.ts'
import { nextRelease } from './second-release.ts'

const fileIn = (folder: string) => join(folder, 'switchyard.db')
const backupIn = (folder: string) => `${fileIn(folder)}.v${latestVersion}.bak`

describe('migrating from an older release (docs/reference/reliability.md#starting)', () => {
  it('retains a complete backup of the older database, once, readable only by the owner', async () => {
    const folder = await anOldFolder(500)
    const before = hashOf(fileIn(folder))
    await migrated(folder)
    expect(statSync(backupIn(folder)).mode & 0o777).toBe(0o600)
    expect(hashOf(backupIn(folder))).toBe(before)
    expect(versionOf(backupIn(folder))).toBe(latestVersion)
    const { mtimeMs } = statSync(backupIn(folder))
    await migrated(folder)
    expect(statSync(backupIn(folder)).mtimeMs).toBe(mtimeMs)
    expect(readdirSync(folder).filter((name) => name.includes('bak'))).toHaveLength(1)
  })

  it('replaces the backup of an earlier migration, after which the older release was used again', async () => {
    const folder = await anOldFolder(5)
    await migrated(folder)
    cpSync(backupIn(folder), fileIn(folder))
    const old = new Database(fileIn(folder))
    old.exec("insert into logs (user_id, created_at, type, content) values (1, 1, 2, 'later')")
    old.close()
    const before = hashOf(fileIn(folder))
    await migrated(folder)
    expect(hashOf(backupIn(folder))).toBe(before)
  })

  it('makes no backup of a new or current database', async () => {
    const folder = await aFolder()
    await migrated(folder)
    await migrated(folder)
    expect(readdirSync(folder).filter((name) => name.includes('bak'))).toEqual([])
  })

  it('ends the same whenever it is killed', async () => {
    const old = await anOldFolder(6000)
    const before = hashOf(fileIn(old))
    const whole = await copyOf(old)
    // The shorter of two, because after a slow measurement the kills would come too late.
    const span = Math.min(await spanOf(whole), await spanOf(await copyOf(old)))
    const after = hashOf(fileIn(whole))
    let interrupted = 0
    for (let turn = 0; turn < 10; turn += 1) {
      const folder = await copyOf(old)
      interrupted += await killedWithin(folder, (span * (turn + 0.5)) / 10)
      if (existsSync(backupIn(folder))) expect(hashOf(backupIn(folder)), `${turn}`).toBe(before)
      await migrated(folder)
      expect(hashOf(fileIn(folder)), `${turn}`).toBe(after)
      expect(hashOf(backupIn(folder)), `${turn}`).toBe(before)
    }
    expect(interrupted).toBeGreaterThan(2)
  }, 120_000)
})

describe('the first start', () => {
  it('can be repeated whenever it is killed', async () => {
    for (const delayMs of [250, 350, 450, 550]) {
      const folder = await aFolder()
      const first = aProcess({ folder })
      await sleep(delayMs)
      first.kill('SIGKILL')
      await first.ended
      const again = await aChild({ folder })
      await expect.poll(() => again.out()).toContain('Not set up yet')
      again.kill('SIGTERM')
      expect(await again.ended).toMatchObject({ code: 0, err: '' })
    }
  })
})

/** How long the next release takes to migrate a folder, in milliseconds. */
async function spanOf(folder: string): Promise<number> {
  const { begun, closed } = aMigration(folder)
  await begun
  const started = performance.now()
  expect(await closed).toContain('done')
  return performance.now() - started
}

/** Starts the next release on a folder and kills it after a while; returns 1 if it had not finished. */
async function killedWithin(folder: string, ms: number): Promise<number> {
  const { child, begun, closed } = aMigration(folder)
  await begun
  await sleep(ms)
  child.kill('SIGKILL')
  return (await closed).includes('done') ? 0 : 1
}

/** The next release in its own process: when it starts, and its complete output once it has ended. */
function aMigration(folder: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'second-release.ts'), folder])
  let out = ''
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString()
  })
  return { child, begun: once(child.stdout, 'data'), closed: once(child, 'close').then(() => out) }
}

const migrated = async (folder: string) => (await openDatabase(folder, 0, nextRelease)).close()

async function anOldFolder(rows: number): Promise<string> {
  const folder = await aFolder()
  const { writer, close } = await openDatabase(folder, 0)
  writer.exec(`insert into logs (user_id, created_at, type, content)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${rows}) select i % 7, i, 2, 'row ' || i from n`)
  await close()
  return folder
}

async function copyOf(folder: string): Promise<string> {
  const copy = await aFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

/** A hash of the complete database, after an integrity check. */
function hashOf(file: string): string {
  const db = new Database(file, { readonly: true })
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    const tables = db.prepare("select name, sql from sqlite_master where name not like 'sqlite_%' order by name").all()
    const hash = createHash('sha256').update(JSON.stringify(tables))
    for (const { name, sql } of tables as { name: string; sql: string }[])
      if (sql.startsWith('CREATE TABLE') || sql.startsWith('create table'))
        hash.update(JSON.stringify(db.prepare(`select * from "${name}" order by 1`).all()))
    return hash.digest('hex')
  } finally {
    db.close()
  }
}

function versionOf(file: string): unknown {
  const db = new Database(file, { readonly: true })
  try {
    return db.prepare('select max(version) from schema_migrations').pluck().get()
  } finally {
    db.close()
  }
}
