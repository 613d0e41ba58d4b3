import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openCopy, upgradeCopy } from '../../gateway/store/sqlite/copied-database.ts'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { latestVersion, schemaVersion } from '../../gateway/store/sqlite/migrate.ts'
import { reconcile } from '../support/reconcile.ts'
import { retries } from '../support/retries.ts'
import { aWorld, type World } from '../support/world.ts'
import { aCommand, aProcess } from './child.ts'
import { aFolder, aHouse, question, seenBy } from './house.ts'
import { nextRelease } from './second-release.ts'

const KEY = Buffer.alloc(32, 7).toString('base64')
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64')
const PASSPHRASE = 'correct horse battery'

type Given = Readonly<{ folder: string; key?: string; passphrase?: string }>

/** A command on a folder; the key is passed in the environment unless it is empty, as for a key in the folder. */
const command = ({ folder, key = KEY, passphrase = PASSPHRASE }: Given, ...args: string[]) =>
  aCommand({
    folder,
    args,
    config: { SWITCHYARD_PASSPHRASE: passphrase, ...(key === '' ? {} : { SWITCHYARD_MASTER_KEY: key }) },
  })

const told = ({ out }: Readonly<{ out: string }>) => JSON.parse(out)

/** A stopped world, with a channel whose key is sealed, and a setting that identifies the database. */
async function aStillWorld(mark: number): Promise<World> {
  const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY: KEY }, options: { RetryTimes: mark } })
  await world.channel()
  await world.gateway.stop()
  return world
}

const databaseIn = (folder: string) => join(folder, 'switchyard.db')

async function changed(folder: string, mark: number): Promise<void> {
  const { db, close } = await openDatabase(folder, 1)
  await db
    .updateTable('options')
    .set({ value: String(mark) })
    .where('key', '=', 'RetryTimes')
    .execute()
  await close()
}

async function markIn(folder: string): Promise<string | undefined> {
  const { db, close } = await openDatabase(folder, 1)
  const row = await db.selectFrom('options').select('value').where('key', '=', 'RetryTimes').executeTakeFirst()
  await close()
  return row?.value
}

describe('a backup (docs/reference/backup.md)', () => {
  it('is made while calls run, and restored elsewhere with the exported key: keys readable, books agree', async () => {
    const house = await aHouse()
    const key = house.masterKey
    const child = await house.start()
    let isOver = false
    const spending = house.keys.map(async (spender) => {
      const seen: string[] = []
      while (!isOver) seen.push((await seenBy(child.url, { key: spender, content: question(5, 2) })).requestId)
      return seen
    })
    const made = await command({ folder: house.folder, key }, 'backup', '--json')
    expect([made.code, made.err]).toEqual([0, ''])
    expect(told(made)).toMatchObject({ is_verified: true, differences: 0, made_by: 'person' })
    isOver = true
    await Promise.all(spending)
    child.kill('SIGTERM')
    await child.ended
    expect((await house.books()).wrong).toEqual([])

    const elsewhere = await aFolder()
    const [file, keyFile] = [join(elsewhere, 'carried.db'), join(elsewhere, 'key.json')]
    cpSync(told(made).file, file)
    cpSync(`${told(made).file}.json`, `${file}.json`)
    const exported = await command({ folder: house.folder, key }, 'key', 'export', keyFile)
    expect([exported.code, exported.err]).toEqual([0, ''])
    expect(readFileSync(keyFile, 'utf8')).not.toContain(key)
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)

    const folder = join(elsewhere, 'data')
    const wrong = await command(
      { folder, key: '', passphrase: 'not the passphrase' },
      'restore',
      file,
      '--key',
      keyFile,
    )
    expect([wrong.code, wrong.err]).toEqual([1, 'The passphrase is wrong, or the key file has been changed\n'])
    const restored = await command({ folder, key: '' }, 'restore', file, '--key', keyFile)
    expect([restored.code, restored.err]).toEqual([0, ''])
    expect(readFileSync(join(folder, 'master.key'), 'utf8').trim()).toBe(key)

    const { db, close } = await openDatabase(folder, 1)
    expect(await reconcile(db)).toEqual([])
    expect(await db.selectFrom('sessions').selectAll().execute(), 'nobody is signed in').toEqual([])
    const rows = await db.selectFrom('logs').select('content').where('type', '=', 3).execute()
    expect(rows.map(({ content }) => content).join()).toContain('restored the backup carried.db')
    await close()
    const again = await house.start({ DATA_DIR: folder, SWITCHYARD_MASTER_KEY: '' })
    const [spender] = house.keys
    const asked = await seenBy(again.url, { key: spender, content: question(3, 0) })
    expect([asked.status, asked.done], 'the channel key opens').toEqual([200, true])
    again.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
  })

  it('is refused where it is not good, and the database stays unchanged', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    await changed(folder, 6)
    const before = readFileSync(databaseIn(folder))
    const beside = await aFolder()
    const copy = (name: string): string => {
      cpSync(made.file, join(beside, name))
      return join(beside, name)
    }
    const expectRefused = async (file: string, said: RegExp, more: Partial<Given> = {}) => {
      const { code, out, err } = await command({ folder, ...more }, 'restore', file)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(said)
      expect(readFileSync(databaseIn(folder)).equals(before)).toBe(true)
      expect(readdirSync(folder).filter((name) => /^(restore|replaced)/.test(name))).toEqual([])
    }
    const newer = copy('newer.db')
    await edited(newer, `insert into schema_migrations values (${latestVersion + 1}, 'x', 0, 1)`)
    await expectRefused(
      newer,
      new RegExp(`version ${latestVersion + 1}, and this release knows up to ${latestVersion}`),
    )
    await expectRefused(made.file, /needs the data key \w{8}, and the key here is \w{8}/, { key: OTHER_KEY })
    const cut = copy('cut.db')
    truncateSync(cut, Math.floor(statSync(cut).size / 2))
    await expectRefused(cut, /is not a whole SQLite database/)
    const text = join(beside, 'text.db')
    writeFileSync(text, 'my notes\n'.repeat(1000))
    await expectRefused(text, /is not a whole SQLite database/)
    const wrongBooks = copy('books.db')
    await edited(wrongBooks, 'update users set quota = quota + 1')
    await expectRefused(wrongBooks, /Balances in the backup that differ from their ledger: 1/)
    const altered = copy('altered.db')
    cpSync(`${made.file}.json`, `${altered}.json`)
    await edited(altered, "update users set remark = 'x'")
    await expectRefused(altered, /its checksum is another one/)
    const foreign = join(beside, 'foreign.db')
    await edited(foreign, 'create table notes (text)')
    await expectRefused(foreign, /is not a Switchyard database/)
    expect(await command(world, 'restore', join(beside, 'nothing.db'))).toMatchObject({ code: 4 })

    const differing = await command(world, 'restore', wrongBooks, '--accept-differences')
    expect([differing.code, differing.err]).toEqual([0, ''])
  })

  it('of an older release is brought to the schema of this one', async () => {
    const older = await aFolder()
    const { db, close } = await openDatabase(older, 1)
    await db.insertInto('users').values({ username: 'ann', created_at: 1 }).execute()
    await close()
    const copy = openCopy(databaseIn(older))
    await upgradeCopy(copy.db, 2, nextRelease)
    expect(await copy.db.selectFrom('users').select('username').execute()).toEqual([{ username: 'ann' }])
    expect(await schemaVersion(copy.db)).toBe(latestVersion + 1)
    await copy.close()
  })

  it('is not restored while a gateway runs', async () => {
    const house = await aHouse()
    const child = await house.start()
    const given = { folder: house.folder, key: house.masterKey }
    expect((await command(given, 'backup')).code).toBe(0)
    expect(await command(given, 'restore', 'latest')).toMatchObject({
      code: 3,
      out: '',
      err: `another Switchyard is already using the data folder ${house.folder}\n`,
    })
    child.kill('SIGTERM')
    await child.ended
    expect((await command(given, 'restore', 'latest')).code).toBe(0)
  })

  it('is refused if a variable, perhaps of another program, names a database too', async () => {
    const { folder } = await aStillWorld(5)
    const config = { DATABASE_URL: 'postgres://db/x', SWITCHYARD_MASTER_KEY: KEY }
    expect(await aProcess({ folder, args: ['backup'], config }).ended).toMatchObject({
      code: 1,
      err: `${folder} has a database; unset DATABASE_URL to use it, or use another folder with PostgreSQL\n`,
    })
  })
})

describe('a restore that is killed (docs/reference/backup.md#the-swap)', () => {
  it('leaves the old database or the backup, whole, whenever that is', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    expect((await command(world, 'backup')).code).toBe(0)
    await changed(folder, 6)
    const pristine = join(await aFolder(), 'pristine')
    cpSync(folder, pristine, { recursive: true })
    const outcomes = new Set<string | undefined>()
    // Kills from before the start until after the end, which takes about half a second; the last ones during the swap.
    for (let round = 0; round < 14; round += 1) {
      rmSync(folder, { recursive: true })
      cpSync(pristine, folder, { recursive: true })
      const child = aProcess({ folder, args: ['restore', 'latest'], config: { SWITCHYARD_MASTER_KEY: KEY } })
      if (round < 7) await new Promise((resolve) => setTimeout(resolve, round * 60))
      else await seen(() => existsSync(join(folder, round < 11 ? 'restore.json' : 'restore')) || over(child))
      child.kill('SIGKILL')
      await child.ended
      const mark = await markIn(folder)
      expect(['5', '6'], `round ${round}`).toContain(mark)
      outcomes.add(mark)
      expect(existsSync(join(folder, 'restore.json'))).toBe(false)
      expect(existsSync(join(folder, 'restore'))).toBe(false)
    }
    expect([...outcomes].sort(), 'both were met').toEqual(['5', '6'])
  })

  it('continues from every step of the swap, and retains the replaced data, journals and all', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    await changed(folder, 6)
    writeFileSync(join(folder, 'progress.journal'), 'of the old one\n')
    const mark = { from: made.name, made_at: 1, decided_at: 2, replaced: 'replaced-19700101T000002Z' }
    const pristine = join(await aFolder(), 'pristine')
    mkdirSync(join(folder, 'restore'))
    cpSync(made.file, join(folder, 'restore', 'switchyard.db'))
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(mark))
    writeFileSync(`${databaseIn(folder)}-wal`, '')
    cpSync(folder, pristine, { recursive: true })
    const replaced = join(folder, mark.replaced)
    const steps = [
      () => {},
      () => mkdirSync(replaced),
      () => cpSync(databaseIn(folder), join(replaced, 'switchyard.db')),
      () => rmSync(databaseIn(folder)),
      () => rmSync(`${databaseIn(folder)}-wal`),
      () => cpSync(join(folder, 'restore', 'switchyard.db'), databaseIn(folder)),
      () => rmSync(join(folder, 'restore', 'switchyard.db')),
      () => cpSync(join(folder, 'progress.journal'), join(replaced, 'progress.journal')),
      () => rmSync(join(folder, 'progress.journal')),
    ]
    for (let reached = 0; reached < steps.length; reached += 1) {
      rmSync(folder, { recursive: true })
      cpSync(pristine, folder, { recursive: true })
      // A rename is a single step, so a copy next to its source never occurs.
      if ([2, 5, 7].includes(reached)) continue
      for (const step of steps.slice(0, reached + 1)) step()
      expect(await markIn(folder), `step ${reached}`).toBe('5')
      expect(readFileSync(join(replaced, 'progress.journal'), 'utf8')).toBe('of the old one\n')
      expect(existsSync(join(folder, 'restore.json'))).toBe(false)
      rmSync(databaseIn(folder))
      cpSync(join(replaced, 'switchyard.db'), databaseIn(folder))
      expect(await markIn(folder), 'the old one is kept').toBe('6')
    }
  })
})

describe('a restore that is refused after a kill within another', () => {
  it('leaves the backup of the first one in place', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    const mark = { from: made.name, made_at: 1, decided_at: 2, replaced: 'replaced-19700101T000002Z' }
    mkdirSync(join(folder, 'restore'))
    cpSync(made.file, join(folder, 'restore', 'switchyard.db'))
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(mark))
    mkdirSync(join(folder, mark.replaced))
    renameSync(databaseIn(folder), join(folder, mark.replaced, 'switchyard.db'))
    const notes = join(await aFolder(), 'notes.db')
    writeFileSync(notes, 'my notes\n')
    const { code } = await command(world, 'restore', notes)
    expect(code).toBe(1)
    expect(await markIn(folder)).toBe('5')
  })
})

describe('a command after a kill within the swap', () => {
  it('ends the swap, key and all, and works on the restored data', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    const mark = { from: made.name, made_at: 1, decided_at: 2, replaced: 'replaced-19700101T000002Z' }
    mkdirSync(join(folder, 'restore'))
    cpSync(made.file, join(folder, 'restore', 'switchyard.db'))
    writeFileSync(join(folder, 'restore', 'master.key'), `${KEY}\n`, { mode: 0o600 })
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(mark))
    mkdirSync(join(folder, mark.replaced))
    renameSync(databaseIn(folder), join(folder, mark.replaced, 'switchyard.db'))
    const { findings } = told(await command({ folder, key: '' }, 'doctor', '--json'))
    const found = findings.find(({ check }: { check: string }) => check === 'database')
    expect(found).toMatchObject({ state: 'warning', found: expect.stringContaining('was ended in its middle') })
    expect(existsSync(databaseIn(folder)), 'doctor changes nothing').toBe(false)
    const { code, err, out } = await command({ folder, key: '' }, 'channel', 'list')
    expect([code, err, out.trim().split('\n').length]).toEqual([0, '', 1])
    expect(existsSync(join(folder, 'restore.json'))).toBe(false)
    expect(await markIn(folder)).toBe('5')
  })
})

describe('a restore that is refused while another one waits', () => {
  it('leaves that waiting, and one that is not refused replaces it', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    const mark = { from: 'first.db', made_at: 1, decided_at: 2, replaced: 'replaced-19700101T000002Z' }
    mkdirSync(join(folder, 'restore'))
    cpSync(made.file, join(folder, 'restore', 'switchyard.db'))
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(mark))
    const notes = join(await aFolder(), 'notes.db')
    writeFileSync(notes, 'my notes\n')
    expect((await command(world, 'restore', notes)).code).toBe(1)
    expect(JSON.parse(readFileSync(join(folder, 'restore.json'), 'utf8'))).toEqual(mark)
    expect(readdirSync(join(folder, 'restore'))).toEqual(['switchyard.db'])
    expect(existsSync(join(folder, 'restore-2'))).toBe(false)
    expect((await command(world, 'restore', made.name)).out).toContain(`Restored: ${made.name}`)
    expect(readdirSync(folder).filter((name) => name.startsWith('restore'))).toEqual([])
  })
})

describe('a decision that cannot be read', () => {
  it('is reported by every command, which changes nothing', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    expect((await command(world, 'backup')).code).toBe(0)
    writeFileSync(join(folder, 'restore.json'), 'nonsense')
    const restored = await command(world, 'restore', 'latest')
    expect([restored.code, restored.err]).toEqual([
      1,
      expect.stringContaining('restore.json in the data folder cannot be'),
    ])
    const listed = await command(world, 'channel', 'list')
    expect([listed.code, listed.err]).toEqual([4, expect.stringContaining('restore.json cannot be read; remove it')])
    expect((await command(world, 'doctor')).out).toContain('remove that file, or keep the database in the console')
    expect(readFileSync(join(folder, 'restore.json'), 'utf8')).toBe('nonsense')
  })
})

describe('a decision without a backup', () => {
  it('does not touch the database and its journals', async () => {
    const { folder } = await aStillWorld(5)
    const mark = { from: 'gone.db', made_at: 1, decided_at: 2, replaced: 'replaced-19700101T000002Z' }
    writeFileSync(join(folder, 'restore.json'), JSON.stringify(mark))
    writeFileSync(join(folder, 'progress.journal'), 'of this one\n')
    expect(await markIn(folder)).toBe('5')
    expect(readFileSync(join(folder, 'progress.journal'), 'utf8')).toBe('of this one\n')
    expect(readdirSync(folder).filter((name) => /^(restore|replaced)/.test(name))).toEqual([])
    writeFileSync(join(folder, 'restore.json'), 'nonsense')
    const { code, err } = await aProcess({ folder, config: { SWITCHYARD_MASTER_KEY: KEY } }).ended
    expect([code, err]).toEqual([4, expect.stringContaining('restore.json cannot be read; remove it to keep')])
  })
})

describe('a damaged database (docs/reference/backup.md#a-damaged-database)', () => {
  it('ends the start with the newest backup that is good, and the command, which brings it back', async () => {
    const world = await aStillWorld(5)
    const { folder } = world
    const made = told(await command(world, 'backup', '--json'))
    truncateSync(databaseIn(folder), Math.floor(statSync(databaseIn(folder)).size / 2))
    const start = () => aProcess({ folder, config: { SWITCHYARD_MASTER_KEY: KEY } }).ended
    const ended = await start()
    expect(ended.code).toBe(4)
    expect(ended.err).toMatch(/is damaged; the newest verified backup is of \S+: switchyard restore \S+ --data-dir /)
    expect(ended.err).toContain(made.name)
    const doctor = await command(world, 'doctor', '--json')
    expect(doctor.code).toBe(1)
    const { findings } = told(doctor)
    expect(findings.find(({ check }: { check: string }) => check === 'database')).toMatchObject({
      state: 'problem',
      advice: `switchyard restore ${made.name}`,
    })
    expect((await command(world, 'restore', made.name)).code).toBe(0)
    expect(await markIn(folder)).toBe('5')
    expect(retries.usual).not.toBe(5)
  })
})

const canLimit = process.platform === 'linux' && spawnSync('prlimit', ['--version']).status === 0

describe.runIf(canLimit)('a disk without free space', () => {
  it('ends a backup with a message, leaves nothing half-done, and calls continue', async () => {
    const house = await aHouse()
    const child = await house.start()
    // As on a full disk, files cannot grow beyond 200,000 bytes, which is less than a backup.
    expect(spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=200000:unlimited']).status).toBe(0)
    const failed = await command({ folder: house.folder, key: house.masterKey }, 'backup')
    expect([failed.code, failed.out]).toEqual([1, ''])
    expect(failed.err).toMatch(/^The backup could not be written: .*Nothing incomplete was left behind\.\n$/)
    expect(readdirSync(join(house.folder, 'backups'))).toEqual([])
    expect(spawnSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited:unlimited']).status).toBe(0)
    expect((await seenBy(child.url, { key: house.keys[0], content: question(3, 0) })).done).toBe(true)
    expect((await command({ folder: house.folder, key: house.masterKey }, 'backup')).code).toBe(0)
  })
})

async function edited(file: string, sql: string): Promise<void> {
  const { default: Database } = await import('better-sqlite3')
  const database = new Database(file)
  database.exec(sql)
  database.close()
}

async function seen(found: () => boolean): Promise<void> {
  while (!found()) await new Promise((resolve) => setImmediate(resolve))
}

const ended = new WeakSet<object>()
function over(child: Readonly<{ ended: Promise<unknown> }>): boolean {
  void child.ended.then(() => ended.add(child))
  return ended.has(child)
}
