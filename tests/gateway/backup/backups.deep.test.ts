import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openKey } from '../../../gateway/backup/key-file.ts'
import { backupsIn, newestVerified } from '../../../gateway/store/sqlite/backup-files.ts'
import { copyDatabase } from '../../../gateway/store/sqlite/copy-thread.ts'
import { openDatabase } from '../../../gateway/store/sqlite/database.ts'
import { aFolder } from '../../process/house.ts'
import { dataOf } from '../../support/client.ts'
import { aClock } from '../../support/clock.ts'
import { aWorld, PASSWORD, type World } from '../../support/world.ts'

const listed = async ({ admin }: World) => dataOf(await admin.get('/api/backup'))
const made = async ({ admin }: World) => dataOf(await admin.post('/api/backup'))
const notes = async ({ gateway }: World): Promise<string> => {
  await gateway.inner.ledger.flush()
  const rows = await gateway.inner.db.selectFrom('logs').select('content').where('type', '=', 3).execute()
  return rows.map(({ content }) => content).join('\n')
}

describe('backups in the console (docs/reference/backup.md#in-the-console)', () => {
  it('are made, verified, described and deleted by root, and each is logged', async () => {
    const world = await aWorld()
    await world.channel()
    const alice = await world.user({ quota: 1_000_000 })
    await alice.asks('gpt-4o', 'hello')
    const one = await made(world)
    expect(one).toMatchObject({ made_by: 'person', is_verified: true, differences: 0 })
    const { backups, key_id, folder, decided, is_running } = await listed(world)
    expect([backups, decided, is_running]).toEqual([[one], null, false])
    expect(one.key_id).toBe(key_id)
    const file = join(folder, one.name)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(file).size).toBe(one.bytes)
    expect(readdirSync(folder).sort()).toEqual([one.name, `${one.name}.json`])
    expect(readFileSync(`${file}.json`, 'utf8')).not.toContain('upstream-key')
    expect(readFileSync(file).includes('upstream-key'), 'keys are sealed in it').toBe(false)
    // Partial files left by a kill are removed by the next backup.
    for (const half of ['switchyard-20200101T000000Z.db.part', 'switchyard-20200101T000000Z.db.json'])
      writeFileSync(join(folder, half), 'half')
    const two = await made(world)
    expect(readdirSync(folder)).toHaveLength(4)
    expect((await listed(world)).backups.map(({ name }: { name: string }) => name)).toEqual([two.name, one.name])
    dataOf(await world.admin.delete(`/api/backup/${one.name}`))
    expect((await listed(world)).backups).toEqual([two])
    expect(existsSync(file)).toBe(false)
    expect(await notes(world)).toContain(`root deleted the backup ${one.name}`)
    for (const name of ['..%2fswitchyard.db', 'switchyard.db', one.name])
      expect(await world.admin.delete(`/api/backup/${name}`)).toMatchObject({ success: false })
    expect(existsSync(join(world.folder, 'switchyard.db'))).toBe(true)
  })

  it('are refused to an administrator and to a program with an access token', async () => {
    const world = await aWorld()
    const boss = await world.user({ role: 10 })
    const one = await made(world)
    expect((await boss.get('/api/backup')).success).not.toBe(true)
    expect((await boss.post('/api/backup')).success).not.toBe(true)
    const token = dataOf(await world.admin.get('/api/user/token'))
    const program = async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: token,
        'new-api-user': String(world.admin.id),
        ...(body ? { 'content-type': 'application/json' } : {}),
      }
      return (
        await fetch(world.url + path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
      ).json()
    }
    expect(await program('GET', '/api/backup')).toMatchObject({ success: true })
    const key = { passphrase: 'a long passphrase', password: PASSWORD }
    expect(await program('POST', '/api/backup/key', key)).toMatchObject({ success: false })
    expect(await program('POST', `/api/backup/${one.name}/restore`)).toMatchObject({ success: false })
    expect(await program('DELETE', `/api/backup/${one.name}`)).toMatchObject({ success: false })
  })

  it('one is restored at the next start, unless that is taken back', async () => {
    const world = await aWorld({ options: { RetryTimes: 5 } })
    const one = await made(world)
    await world.option('RetryTimes', 6)
    dataOf(await world.admin.post(`/api/backup/${one.name}/restore`))
    expect((await listed(world)).decided).toMatchObject({ from: one.name })
    dataOf(await world.admin.delete('/api/backup/restore'))
    expect((await listed(world)).decided).toBe(null)
    expect(readdirSync(world.folder).filter((name) => name.startsWith('restore'))).toEqual([])
    expect(await notes(world)).toContain(`root cancelled the restore of the backup ${one.name}`)
    dataOf(await world.admin.post(`/api/backup/${one.name}/restore`))
    const again = await world.restart()
    expect(again.gateway.inner.settings.get('RetryTimes')).toBe(5)
    expect(await notes(again)).toContain(`root restored the backup ${one.name}`)
    expect(await again.gateway.inner.db.selectFrom('locks').selectAll().execute()).toEqual([])
    expect(readdirSync(again.folder).some((name) => name.startsWith('replaced-'))).toBe(true)
  })

  it('a restored one sends none of its pending notices and contains no sessions', async () => {
    const world = await aWorld()
    const { db } = world.gateway.inner
    const notice = { id: 'a', user_id: world.admin.id, letter: 'sealed', tries: 0, due_at: 1, created_at: 1 }
    await db.insertInto('pending_notices').values(notice).execute()
    const one = await made(world)
    dataOf(await world.admin.post(`/api/backup/${one.name}/restore`))
    const staged = new Database(join(world.folder, 'restore', 'switchyard.db'), { readonly: true })
    const left = (table: string) => staged.prepare(`select * from ${table}`).all()
    expect([left('pending_notices'), left('sessions')]).toEqual([[], []])
    expect(left('users')).toHaveLength(1)
    staged.close()
  })

  it('one that is refused leaves the decision on another', async () => {
    const world = await aWorld({ options: { RetryTimes: 5 } })
    const [one, two] = [await made(world), await made(world)]
    dataOf(await world.admin.post(`/api/backup/${one.name}/restore`))
    truncateSync(join(world.folder, 'backups', two.name), 4096)
    expect(await world.admin.post(`/api/backup/${two.name}/restore`)).toMatchObject({ success: false })
    expect((await listed(world)).decided).toMatchObject({ from: one.name })
    const three = await made(world)
    dataOf(await world.admin.post(`/api/backup/${three.name}/restore`))
    expect((await listed(world)).decided).toMatchObject({ from: three.name })
    await world.option('RetryTimes', 6)
    const again = await world.restart()
    expect(await notes(again)).toContain(`restored the backup ${three.name}`)
    expect(again.gateway.inner.settings.get('RetryTimes')).toBe(5)
    expect(readdirSync(again.folder).filter((name) => name.startsWith('restore'))).toEqual([])
  })

  it('are listed where the decision on a restore is unreadable, which is reported and can be cleared', async () => {
    const world = await aWorld()
    const one = await made(world)
    writeFileSync(join(world.folder, 'restore.json'), '{"from":')
    expect(await listed(world)).toMatchObject({ decided: null, is_decision_unreadable: true, backups: [one] })
    const refused = await world.admin.post(`/api/backup/${one.name}/restore`)
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('restore.json') })
    dataOf(await world.admin.delete('/api/backup/restore'))
    expect(await listed(world)).toMatchObject({ decided: null, is_decision_unreadable: false })
    expect(await notes(world)).toContain('root removed the decision on a restore, which could not be read')
    dataOf(await world.admin.post(`/api/backup/${one.name}/restore`))
  })

  it('are one at a time: neither two restores nor a restore and a backup get into each other', async () => {
    const world = await aWorld({ options: { RetryTimes: 5 } })
    const [one, two] = [await made(world), await made(world)]
    const restore = ({ name }: { name: string }) => world.admin.post(`/api/backup/${name}/restore`)
    const answers = await Promise.all([restore(one), restore(two), world.admin.post('/api/backup')])
    expect(answers.filter(({ success }) => success)).toHaveLength(1)
    const { decided } = await listed(world)
    const again = await world.restart()
    expect(again.gateway.inner.settings.get('RetryTimes')).toBe(5)
    if (decided) expect(await notes(again)).toContain(`restored the backup ${decided.from}`)
  })

  it.skipIf(process.platform === 'win32')('one that does not fit on the disk is not copied', async () => {
    const world = await aWorld()
    const { name } = await made(world)
    // Sparse, so that it occupies no space.
    truncateSync(join(world.folder, 'backups', name), 8 * 2 ** 40)
    const answer = await world.admin.post(`/api/backup/${name}/restore`)
    expect(answer).toMatchObject({ success: false, message: expect.stringMatching(/ MB/) })
    expect(readdirSync(world.folder).filter((one) => one.startsWith('restore'))).toEqual([])
  })

  it('one of an older release must be restored in the shell, since a migration would block calls', async () => {
    const world = await aWorld()
    const { folder } = await listed(world)
    const older = await aFolder()
    await (await openDatabase(older, 1)).close()
    const database = new Database(join(older, 'switchyard.db'))
    database.exec('UPDATE schema_migrations SET version = version - 1')
    database.close()
    mkdirSync(folder)
    const name = 'switchyard-20200101T000000Z.db'
    cpSync(join(older, 'switchyard.db'), join(folder, name))
    expect((await listed(world)).backups).toMatchObject([{ name, made_by: 'unknown', is_verified: false }])
    expect(await world.admin.post(`/api/backup/${name}/restore`)).toMatchObject({
      success: false,
      message: expect.stringContaining('made by an older release'),
    })
  })

  it('one that was changed since is refused', async () => {
    const world = await aWorld()
    const one = await made(world)
    const file = join(world.folder, 'backups', one.name)
    const bytes = readFileSync(file)
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
    writeFileSync(file, bytes)
    const refused = await world.admin.post(`/api/backup/${one.name}/restore`)
    expect(refused).toMatchObject({ success: false, message: expect.stringContaining('checksum') })
    expect((await listed(world)).decided).toBe(null)
  })

  it('report balances that differ from their ledger, and such a backup is not restored', async () => {
    const world = await aWorld()
    const alice = await world.user({ quota: 100 })
    await world.gateway.inner.db.updateTable('users').set({ quota: 101 }).where('id', '=', alice.id).execute()
    const one = await made(world)
    expect(one).toMatchObject({ is_verified: false, differences: 1 })
    expect(await world.admin.post(`/api/backup/${one.name}/restore`)).toMatchObject({ success: false })
  })
})

describe('the data key (docs/reference/backup.md#the-data-key)', () => {
  it('is exported under a passphrase, to root with the password', async () => {
    const key = Buffer.alloc(32, 9).toString('base64')
    const world = await aWorld({ config: { SWITCHYARD_MASTER_KEY: key } })
    const exported = (body: object) => world.admin.post('/api/backup/key', body)
    const passphrase = 'correct horse battery'
    expect(await exported({ passphrase, password: 'not mine at all' })).toMatchObject({ success: false })
    expect(await exported({ passphrase, password: '' })).toMatchObject({ success: false })
    expect(await exported({ passphrase: 'short', password: PASSWORD })).toMatchObject({
      success: false,
      message: 'The passphrase must have at least 12 characters',
    })
    const { name, content } = dataOf(await exported({ passphrase, password: PASSWORD }))
    expect(name).toMatch(/^switchyard-key-[0-9a-f]{8}\.json$/)
    expect((await openKey(content, passphrase)).toString('base64')).toBe(key)
    expect(content).not.toContain(key)
    expect(await notes(world)).toContain('root exported the data key')
    expect(await notes(world)).not.toContain(passphrase)
  })

  it('is not opened with another passphrase, from a file that was changed, or with a key derivation that is too expensive', async () => {
    const world = await aWorld()
    const passphrase = 'correct horse battery'
    const { content } = dataOf(await world.admin.post('/api/backup/key', { passphrase, password: PASSWORD }))
    const file = JSON.parse(content)
    await expect(openKey(content, 'another passphrase')).rejects.toMatchObject({ key: 'backup.key_wrong' })
    const changed = { ...file, key_id: file.key_id === '00000000' ? '00000001' : '00000000' }
    await expect(openKey(JSON.stringify(changed), passphrase)).rejects.toMatchObject({ key: 'backup.key_wrong' })
    const dear = { ...file, kdf: { ...file.kdf, memory_kib: 64 * 1024 * 1024 } }
    await expect(openKey(JSON.stringify(dear), passphrase)).rejects.toMatchObject({ key: 'backup.key_file' })
    await expect(openKey('{}', passphrase)).rejects.toMatchObject({ key: 'backup.key_file' })
  })
})

describe('the copy (docs/reference/backup.md#making-a-backup)', () => {
  it('ends with a checkpoint by its thread, so that no commit has to write the pages of that time to the database', async () => {
    const folder = await aFolder()
    const database = await openDatabase(folder, 1)
    const { writer, file } = database
    writer.exec('create table filler (bytes blob)')
    const write = () => writer.prepare('insert into filler values (randomblob(16000000))').run()
    // A read in progress prevents checkpoints, as a copy does.
    const read = new Database(file, { readonly: true })
    read.exec('begin; select * from sqlite_schema')
    write()
    await database.withoutCheckpoints(async () => {
      read.close()
      write()
      expect(unwrittenPages(file)).toBeGreaterThan(7000)
      await copyDatabase(file, join(folder, 'copy.db'))
      expect(unwrittenPages(file)).toBe(0)
      write()
      expect(unwrittenPages(file), 'not written by the commit').toBeGreaterThan(3000)
    })
    writer.exec('insert into filler values (null)')
    expect(unwrittenPages(file)).toBe(0)
    await database.close()
  })
})

/** Pages of the write-ahead log that no checkpoint has copied into the database: the header of the WAL-index. */
function unwrittenPages(file: string): number {
  const index = readFileSync(`${file}-shm`)
  return index.readUInt32LE(16) - index.readUInt32LE(96)
}

describe('the nightly backup (docs/reference/backup.md#schedule)', () => {
  afterEach(() => vi.useRealTimers())

  it('is made once a night; only the newest are retained, while manual backups stay', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock, config: { BACKUP_KEEP: '2' } })
    const turn = async () => {
      await vi.advanceTimersByTimeAsync(60_000)
      await expect.poll(async () => (await listed(world)).is_running).toBe(false)
    }
    const kinds = async () => (await listed(world)).backups.map(({ made_by }: { made_by: string }) => made_by)
    const mine = await made(world)
    await turn()
    expect(await kinds(), 'one is there since the last night').toEqual(['person'])
    for (const expected of [1, 2, 2, 2]) {
      clock.advance(24 * 3_600_000)
      await turn()
      await expect.poll(async () => (await kinds()).filter((kind: string) => kind === 'schedule').length).toBe(expected)
      await turn()
      expect((await kinds()).filter((kind: string) => kind === 'schedule')).toHaveLength(expected)
    }
    expect((await listed(world)).backups.at(-1).name).toBe(mine.name)
    const jobs = dataOf(await world.admin.get('/api/job'))
    const job = jobs.find(({ name }: { name: string }) => name === 'backup')
    expect(job.last).toMatchObject({ outcome: 'done', message: expect.stringContaining('Backup made: switchyard-') })
  })

  it('does not remove the last verified one, however many nights follow on which balances differ', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock, config: { BACKUP_KEEP: '2' } })
    const alice = await world.user({ quota: 100 })
    const backups = async (): Promise<{ name: string; is_verified: boolean }[]> => (await listed(world)).backups
    const night = async () => {
      const before = (await backups())[0]?.name
      clock.advance(24 * 3_600_000)
      await vi.advanceTimersByTimeAsync(60_000)
      await expect.poll(async () => (await backups())[0]?.name).not.toBe(before)
    }
    await night()
    await world.gateway.inner.db.updateTable('users').set({ quota: 101 }).where('id', '=', alice.id).execute()
    for (let count = 0; count < 4; count += 1) await night()
    expect((await backups()).map(({ is_verified }) => is_verified)).toEqual([false, false, true])
  })

  it('is made and retained even if an earlier one has a time in the future', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock, config: { BACKUP_KEEP: '1' } })
    const ahead = join(world.folder, 'backups', `${(await made(world)).name}.json`)
    const told = JSON.parse(readFileSync(ahead, 'utf8'))
    writeFileSync(ahead, JSON.stringify({ ...told, made_by: 'schedule', made_at: 2_000_000_000 }))
    clock.advance(24 * 3_600_000)
    await vi.advanceTimersByTimeAsync(60_000)
    const times = async () => (await listed(world)).backups.map(({ made_at }: { made_at: number }) => made_at)
    await expect.poll(times, { timeout: 20_000 }).toEqual([1_800_086_400])
  })

  it('is ordered by when it was made, not by its date, so that a wrong clock removes no newer one', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const clock = aClock(1_800_000_000_000)
    const world = await aWorld({ clock, config: { BACKUP_KEEP: '2' } })
    const names = () => backupsIn(world.folder).map(({ name }) => name)
    const nextNight = async (jumpDays: number) => {
      const [before] = names()
      clock.setSeconds(jumpDays * 86_400)
      clock.advance(24 * 3_600_000)
      await vi.advanceTimersByTimeAsync(60_000)
      await expect.poll(() => names()[0], { timeout: 20_000 }).not.toBe(before)
      return names()[0]
    }
    const right = await nextNight(0)
    const ahead = await nextNight(90)
    expect(names()).toEqual([ahead, right])
    const rightAgain = await nextNight(-90)
    expect(names()).toEqual([rightAgain, ahead])
    expect(newestVerified(world.folder)?.name).toBe(rightAgain)
    const behind = await nextNight(-200)
    expect(names()).toEqual([behind, rightAgain])
    const last = await nextNight(200)
    expect(names()).toEqual([last, behind])
  })

  it('is not made where BACKUP_KEEP is 0; manual backups still work', async () => {
    const world = await aWorld({ config: { BACKUP_KEEP: '0' } })
    const jobs = dataOf(await world.admin.get('/api/job'))
    expect(jobs.map(({ name }: { name: string }) => name)).not.toContain('backup')
    expect(await made(world)).toMatchObject({ is_verified: true })
  })
})
