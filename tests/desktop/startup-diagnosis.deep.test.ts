import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { createGateway } from '../../gateway/composition/create-gateway.ts'
import { readConfig } from '../../gateway/config.ts'
import { headlessSecrets } from '../../gateway/secrets.ts'
import { CannotStart, EXIT } from '../../gateway/store/sqlite/database.ts'
import { freePortAfter } from '../../main/free-port.ts'
import { readHostConfig, type System } from '../../main/gateway-host.ts'
import { NoDataKey } from '../../main/keychain.ts'
import { startOrMend } from '../../main/start.ts'
import { type Diagnosis, diagnose, type Remedy, withNewKey } from '../../main/startup-diagnosis.ts'
import { remedyIn, STARTUP_PAGE, startupPage } from '../../main/startup-page.ts'
import { aFolder } from '../process/house.ts'

/** The system's keychain, which responds only once it is unlocked. */
const keychain = vi.hoisted(() => ({ entries: new Map<string, string>(), isUnlocked: Promise.resolve() }))
vi.mock('keytar', () => ({
  default: {
    async getPassword(_: string, account: string) {
      await keychain.isUnlocked
      return keychain.entries.get(account) ?? null
    },
    setPassword: async (_: string, account: string, password: string) => void keychain.entries.set(account, password),
  },
}))
beforeEach(() => {
  keychain.entries.clear()
  keychain.isUnlocked = Promise.resolve()
})

const key = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'), LOG_LEVEL: 'silent' }

async function aTakenPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port // it listens on a port, not on a pipe
}

const system: System = { logTarget: { write: () => {} }, proxy: noSystemProxy, certificates: '' }

/** No decision is expected. */
const never = () => Promise.reject(new Error('somebody was asked'))

/** Starts with a user who decides as `decide` does; returns the diagnoses shown. */
async function start(folder: string, environment: Record<string, string>, decide: (found: Diagnosis) => Remedy) {
  const seen: Diagnosis[] = []
  const consult = async (found: Diagnosis) => {
    seen.push(found)
    return decide(found)
  }
  const started = await startOrMend({ folder, environment: { ...key, ...environment }, startup: { consult }, system })
  if ('gateway' in started) onTestFinished(() => started.gateway.stop())
  return { started, seen }
}

describe('a start of the desktop that cannot continue (docs/reference/design.md#first-five-minutes)', () => {
  it('shows nothing when all is well', async () => {
    const { started, seen } = await start(await aFolder(), { PORT: '0' }, () => 'quit')
    expect([seen, 'gateway' in started]).toEqual([[], true])
  })

  it('offers another port where the usual one is taken, and remembers it', async () => {
    const [folder, taken] = [await aFolder(), await aTakenPort()]
    const { started, seen } = await start(folder, { PORT: String(taken) }, () => 'port')
    const [found] = seen
    expect(found).toMatchObject({ part: 'port', remedies: ['retry', 'port', 'quit'], exitCode: 2 })
    if (process.platform === 'linux')
      expect(found).toMatchObject({
        what: 'startup.port.owned',
        values: { owner: expect.stringContaining(`(${process.pid})`) },
      })
    const free = Number(found?.values.free)
    expect(free).toBeGreaterThan(taken)
    expect(started).toMatchObject({ gateway: { url: `http://127.0.0.1:${free}` } })
    expect(JSON.parse(readFileSync(join(folder, 'desktop.json'), 'utf8'))).toEqual({ port: free })
    expect(readHostConfig(folder, {}).PORT).toBe(free)
    expect(readHostConfig(folder, { PORT: '7000' }).PORT, 'the environment says it for this start').toBe(7000)
  })

  it('has wide limits while only this machine can reach it, unless the environment sets others', async () => {
    const folder = await aFolder()
    const limits = (environment: Record<string, string>) => {
      const { GLOBAL_API_RATE_LIMIT: calls, GLOBAL_WEB_RATE_LIMIT: files } = readHostConfig(folder, environment)
      return [calls, files]
    }
    expect(limits({})).toEqual([1800, 0])
    expect(limits({ GLOBAL_API_RATE_LIMIT: '90' })).toEqual([90, 0])
    expect(limits({ HOST: '0.0.0.0' })).toEqual([180, 60])
  })

  it('ends with the exit code of a server when the person quits', async () => {
    const { started } = await start(await aFolder(), { PORT: String(await aTakenPort()) }, () => 'quit')
    expect(started).toEqual({ exitCode: 2 })
  })

  it('tries again as often as requested', async () => {
    const folder = await aFolder()
    const config = readConfig({ ...key, DATA_DIR: folder, PORT: '0' }, [])
    const other = await createGateway({ config, secrets: headlessSecrets(config) })
    const seen: string[] = []
    const consult = async ({ what }: Diagnosis): Promise<Remedy> => {
      seen.push(what)
      if (seen.length === 2) await other.stop()
      return 'retry'
    }
    const started = await startOrMend({ folder, environment: { ...key, PORT: '0' }, startup: { consult }, system })
    if ('gateway' in started) onTestFinished(() => started.gateway.stop())
    expect([seen, 'gateway' in started]).toEqual([['startup.inUse.what', 'startup.inUse.what'], true])
  })

  it('continues automatically once a slow keychain answers', async () => {
    const unlocked = Promise.withResolvers<void>()
    keychain.isUnlocked = unlocked.promise
    const seen: string[] = []
    const consult = ({ what }: Diagnosis) => {
      seen.push(what)
      unlocked.resolve()
      return new Promise<Remedy>(() => {})
    }
    const environment = { PORT: '0', LOG_LEVEL: 'silent' }
    const started = await startOrMend({ folder: await aFolder(), environment, startup: { consult }, system })
    if ('gateway' in started) onTestFinished(() => started.gateway.stop())
    expect([seen, 'gateway' in started]).toEqual([['startup.silent.what'], true])
  })

  it('creates a new key next to sealed data only after confirming twice', async () => {
    const folder = await aFolder()
    const environment = { PORT: '0', SWITCHYARD_MASTER_KEY: '' }
    const before = await startOrMend({
      folder,
      environment: { ...key, ...environment },
      startup: { consult: never },
      system,
    })
    if ('gateway' in before) await before.gateway.stop()
    keychain.entries.clear()
    const answers =
      (...given: Remedy[]) =>
      () =>
        given.shift() ?? 'quit'
    const shown = ['startup.missing.what', 'startup.newKey.what']
    const quit = await start(folder, environment, answers('newKey', 'quit'))
    expect([quit.seen.map(({ what }) => what), quit.started]).toEqual([shown, { exitCode: 4 }])
    expect([...keychain.entries.keys()]).toEqual(['probe'])
    const agreed = await start(folder, environment, answers('newKey', 'useNewKey'))
    expect([agreed.seen.map(({ what }) => what), 'gateway' in agreed.started]).toEqual([shown, true])
    expect(keychain.entries.size).toBe(2)
  })

  it('names a bad setting', async () => {
    const { started, seen } = await start(await aFolder(), { PORT: 'many' }, () => 'quit')
    expect(seen[0]).toMatchObject({ part: 'settings', remedies: ['quit'], message: expect.stringContaining('PORT: ') })
    expect(started).toEqual({ exitCode: 1 })
  })

  it('distinguishes a data folder that is not a folder from a damaged database, and shows the backups', async () => {
    const folder = await aFolder()
    const file = join(folder, 'a-file')
    writeFileSync(file, 'mine')
    const noFolder = await start(folder, { DATA_DIR: file, PORT: '0' }, () => 'quit')
    expect(noFolder.seen[0]).toMatchObject({ part: 'folder', what: 'startup.folder.what', exitCode: 4 })
    writeFileSync(join(folder, 'switchyard.db'), 'not a database, as anybody can see')
    writeFileSync(join(folder, 'switchyard.db.v1.bak'), 'x'.repeat(2_000_000))
    const damaged = await start(folder, { PORT: '0' }, () => 'quit')
    expect(damaged.seen[0]).toMatchObject({ part: 'database', what: 'startup.database.what' })
    expect(damaged.seen[0]?.backups).toMatchObject([{ name: 'switchyard.db.v1.bak', bytes: 2_000_000 }])
  })

  it('restores a verified backup after confirming twice, and never starts with empty data', async () => {
    const folder = await aFolder()
    const before = await start(folder, { PORT: '0' }, () => 'quit')
    if (!('gateway' in before.started)) throw new Error('it should have started')
    const { gateway } = before.started
    const user = { username: 'ann', created_at: 1 }
    await gateway.inner.db.insertInto('users').values(user).execute()
    const { name, file: backupFile } = await gateway.backUp()
    await gateway.stop()
    const database = join(folder, 'switchyard.db')
    writeFileSync(database, 'not a database, as anybody can see')
    const given = (...answers: Remedy[]) => {
      return () => answers.shift() ?? 'quit'
    }
    const quit = await start(folder, { PORT: '0' }, given(`restore:${name}`, 'quit'))
    expect(quit.seen.map(({ what }) => what)).toEqual(['startup.database.what', 'startup.restore.what'])
    expect(quit.seen[0]?.backups).toMatchObject([{ name, isVerified: true }])
    expect(quit.seen[1]?.values).toMatchObject({ backup: name })
    expect(readFileSync(database, 'latin1')).toBe('not a database, as anybody can see')
    for (const locale of ['en', 'zh'] as const) {
      const page = quit.seen[0] && startupPage(quit.seen[0], locale)
      expect(page).toContain(`${STARTUP_PAGE}/restore/${name}`)
    }
    const other = { SWITCHYARD_MASTER_KEY: randomBytes(32).toString('base64'), PORT: '0' }
    const wrong = await start(folder, other, given('restore:switchyard-20200101T000000Z.db', 'useBackup', 'quit'))
    expect(wrong.seen.at(-1)).toMatchObject({ what: 'startup.notRestored.what', message: 'This backup does not exist' })
    const restored = await start(folder, { PORT: '0' }, given(`restore:${name}`, 'useBackup'))
    if (!('gateway' in restored.started)) throw new Error('it should have started')
    const found = await restored.started.gateway.inner.db.selectFrom('users').select('username').execute()
    expect(found).toEqual([{ username: 'ann' }])
    expect(existsSync(backupFile)).toBe(true)
    const logRows = await restored.started.gateway.inner.db
      .selectFrom('logs')
      .select('content')
      .where('type', '=', 3)
      .execute()
    expect(logRows.map(({ content }) => content).join()).toContain(
      'A user of the desktop startup page on this machine restored',
    )
  })

  it('ends a restore that a kill has ended in its middle before it looks for the data key', async () => {
    const folder = await aFolder()
    const before = await start(folder, { PORT: '0' }, () => 'quit')
    if (!('gateway' in before.started)) throw new Error('it should have started')
    const { name, file } = await before.started.gateway.backUp()
    await before.started.gateway.stop()
    const replaced = 'replaced-19700101T000002Z'
    for (const made of ['restore', replaced]) mkdirSync(join(folder, made))
    renameSync(join(folder, 'switchyard.db'), join(folder, replaced, 'switchyard.db'))
    cpSync(file, join(folder, 'restore/switchyard.db'))
    writeFileSync(join(folder, 'restore/master.key'), `${key.SWITCHYARD_MASTER_KEY}\n`, { mode: 0o600 })
    writeFileSync(join(folder, 'restore.json'), JSON.stringify({ from: name, made_at: 1, decided_at: 2, replaced }))
    const { started, seen } = await start(folder, { PORT: '0', SWITCHYARD_MASTER_KEY: '' }, () => 'quit')
    expect(seen).toEqual([])
    expect('gateway' in started).toBe(true)
    expect(existsSync(join(folder, 'restore.json'))).toBe(false)
  })

  it('restores an older backup where the database is of a newer release, and offers none that it cannot read', async () => {
    const folder = await aFolder()
    const before = await start(folder, { PORT: '0' }, () => 'quit')
    if (!('gateway' in before.started)) throw new Error('it should have started')
    const { gateway } = before.started
    const { name, file } = await gateway.backUp()
    const later = await gateway.backUp()
    // Simulates an update to a later release, and a backup made after it.
    await sql`insert into schema_migrations (version, name, applied_at, least_version) values (999, 'later', 1, 999)`.execute(
      gateway.inner.db,
    )
    await gateway.stop()
    const manifest = JSON.parse(readFileSync(`${later.file}.json`, 'utf8'))
    writeFileSync(`${later.file}.json`, JSON.stringify({ ...manifest, schema: 999 }))
    const answers: Remedy[] = [`restore:${name}`, 'useBackup']
    const { seen, started } = await start(folder, { PORT: '0' }, () => answers.shift() ?? 'quit')
    expect(seen.map(({ what }) => what)).toEqual(['startup.newer.what', 'startup.restore.what'])
    expect(seen[0]?.backups).toMatchObject([{ name, isVerified: true }])
    expect(seen[0] && startupPage(seen[0], 'en')).toContain(`${STARTUP_PAGE}/restore/${name}`)
    if (!('gateway' in started)) throw new Error('it should have started')
    expect(started.gateway.setupLink).not.toBeNull()
    expect(existsSync(file)).toBe(true)
    const [replaced] = readdirSync(folder).filter((entry) => entry.startsWith('replaced-'))
    expect(existsSync(join(folder, replaced ?? '', 'switchyard.db'))).toBe(true)
  })

  it('reports when a file of the data key is readable by others', async () => {
    const folder = await aFolder()
    const file = join(folder, 'master.key')
    writeFileSync(file, `${key.SWITCHYARD_MASTER_KEY}\n`)
    chmodSync(file, 0o644)
    const { seen } = await start(folder, { PORT: '0', SWITCHYARD_MASTER_KEY: '' }, () => 'quit')
    expect(seen[0]).toMatchObject({ part: 'keychain', what: 'startup.unusable.what' })
  })

  it('leaves a bug of the program to the general error handling', () => {
    expect(diagnose(new Error('a bug'), { config: undefined, freePort: undefined })).toBeUndefined()
  })
})

describe('the startup page', () => {
  const config = readConfig({ DATA_DIR: '/data/<b>mine</b>', PORT: '6411' }, [])
  const newer = new CannotStart(
    EXIT.badData,
    'the database has schema 9',
    Object.assign(new Error(), { name: 'NewerSchema' }),
  )
  const troubles: readonly Error[] = [
    new CannotStart(EXIT.badConfig, 'PORT: not valid'),
    new CannotStart(EXIT.portInUse, 'port 6411 in use'),
    new CannotStart(EXIT.secondInstance, 'another Switchyard'),
    new CannotStart(EXIT.badData, 'the data folder cannot be written'),
    newer,
    ...(['silent', 'locked', 'missing', 'unusable'] as const).map((trouble) => new NoDataKey(trouble, 'no key')),
  ]
  const diagnoses = troubles.map((error) => diagnose(error, { config, freePort: 6412 })!)
  const found = [...diagnoses, withNewKey(diagnoses.at(-2)!)]

  it.each(found.map((each) => [each.what, each] as const))('contains all of %s in both languages', (_, diagnosis) => {
    const [en, zh] = [startupPage(diagnosis, 'en'), startupPage(diagnosis, 'zh')]
    for (const page of [en, zh]) {
      expect(page).not.toMatch(/<script|\{\w+\}|undefined|<b>/)
      const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, address = '']) => remedyIn(address))
      expect(links).toEqual(['language', ...diagnosis.remedies])
      expect(page.match(/class="(fine|wrong|unseen)"/g)).toHaveLength(5)
    }
    expect(en).toMatch(/^<!doctype html>\n<html lang="en">/)
    expect(en.replace('简体中文', '')).not.toMatch(/[\u4e00-\u9fff]/)
    expect(zh).toContain('Switchyard 无法启动')
  })

  it('escapes the values it shows', () => {
    expect(startupPage(found[2]!, 'en')).toContain('&#60;b&#62;mine')
  })

  it('knows its own links and no others', () => {
    expect(remedyIn(`${STARTUP_PAGE}/port`)).toBe('port')
    for (const address of [`${STARTUP_PAGE}/other`, 'https://elsewhere.example/port', 'file:///port', 'nonsense'])
      expect(remedyIn(address)).toBeUndefined()
  })
})

describe('a free port', () => {
  it('is the next one that is not in use', async () => {
    const taken = await aTakenPort()
    const free = await freePortAfter(taken, '127.0.0.1')
    expect(free).toBeGreaterThan(taken)
    const server = createServer().listen(free, '127.0.0.1')
    await once(server, 'listening')
    server.close()
  })

  it('is any one when none above is left', async () => {
    expect(await freePortAfter(65_535, '127.0.0.1')).toBeGreaterThan(0)
  })
})

describe('the remembered settings of the desktop', () => {
  it('are empty when the file cannot be read as such', async () => {
    const folder = await aFolder()
    for (const text of ['', '[]', '{"port":"many"}', '{"port":0}']) {
      writeFileSync(join(folder, 'desktop.json'), text)
      expect(readHostConfig(folder, {}).PORT).toBe(6411)
    }
    expect(existsSync(join(folder, 'desktop.json.part'))).toBe(false)
  })
})
