import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { holdFolder, openDatabase } from '../../gateway/store/sqlite/database.ts'
import { dataOf, signedIn } from '../support/client.ts'
import { aWorld, PASSWORD, type World } from '../support/world.ts'
import { aChild, aCommand, aProcess, type Listening } from './child.ts'
import { aFolder } from './house.ts'

const SWITCHYARD_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
const config = { SWITCHYARD_MASTER_KEY }

const command = ({ folder }: { folder: string }, ...args: string[]) => aCommand({ folder, args, config })
const told = ({ out }: Readonly<{ out: string }>) => JSON.parse(out)

/** A stopped world with a channel to a vendor that responds. */
async function aStillWorld(): Promise<World> {
  const world = await aWorld({ config })
  await world.channel({ name: 'vendor' })
  await world.user({ username: 'ann', quota: 1000 })
  await world.gateway.stop()
  return world
}

/** Each of these holds with and without a running gateway: rules and messages are the gateway's. */
describe.each(['beside a gateway that runs', 'on a folder that stands still'])('the command line %s', (where) => {
  const prepared = async (): Promise<Readonly<{ world: World; gateway: Listening | undefined }>> => {
    const world = await aStillWorld()
    return { world, gateway: where.startsWith('beside') ? await aChild({ folder: world.folder, config }) : undefined }
  }
  const running = async (world: World, gateway: Listening | undefined): Promise<Listening> =>
    gateway ?? aChild({ folder: world.folder, config })

  it('makes a token that works, of root or of an account, by the rules of the console', async () => {
    const { world, gateway } = await prepared()
    const made = await command(world, 'token', 'create', 'ci', '--json')
    expect([made.code, made.err]).toEqual([0, ''])
    expect(told(made)).toMatchObject({ name: 'ci', key: expect.stringMatching(/^sk-\w{48}$/) })
    const anns = await command(world, 'token', 'create', 'hers', '--user', 'ann', '--quota', '70', '--models', 'm1,m2')
    expect([anns.code, anns.err]).toEqual([0, ''])
    const [, key = ''] = /^(sk-\w{48})$/m.exec(anns.out) ?? []
    const { url } = await running(world, gateway)
    for (const one of [told(made).key, key])
      expect((await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${one}` } })).status).toBe(200)
    const ann = await signedIn(url, 'ann', PASSWORD)
    const [token] = dataOf(await ann.get('/api/token?p=0&size=10'))
    expect(token).toMatchObject({ name: 'hers', remain_quota: 70, unlimited_quota: false, model_limits: 'm1,m2' })
  })

  it('tests a channel and reports the result', async () => {
    const { world } = await prepared()
    const works = await command(world, 'channel', 'test', 'vendor', '--json')
    expect([works.code, works.err]).toEqual([0, ''])
    expect(told(works)).toMatchObject({ name: 'vendor', is_working: true })
    expect(world.upstream.requests).not.toEqual([])
    world.upstream.answers({ status: 401, body: { error: { message: 'no such key' } } })
    const fails = await command(world, 'channel', 'test', String(told(works).id))
    expect(fails.code).toBe(1)
    expect(fails.out).toMatch(/failed: .*no such key/)
    expect(await command(world, 'channel', 'test', 'other')).toMatchObject({ code: 1, err: 'unknown channel other\n' })
    expect((await command(world, 'channel', 'list')).out).toContain('vendor  enabled')
  })
})

describe('a command', () => {
  it('is refused as the console refuses it, and where it is called wrongly', async () => {
    const world = await aStillWorld()
    await aChild({ folder: world.folder, config })
    for (const [words, code, said] of [
      [['create', 'a', '--user', 'nobody'], 1, 'unknown user nobody'],
      [['create', 'a', '--group', 'no-such-group'], 1, 'You cannot use the group no-such-group'],
      [['create', 'a', '--quota', 'much'], 2, '--quota must be a whole number'],
      [['create', 'a', '--quota'], 2, '--quota needs a value'],
      [['create'], 2, 'usage: token create <name>'],
      [['make', 'a'], 2, 'usage: token create <name>'],
    ] as const) {
      const refused = await command(world, 'token', ...words)
      expect([refused.code, refused.out]).toEqual([code, ''])
      expect(refused.err).toContain(said)
    }
  })

  it('exports the log and the settings into files readable only by their owner, and backs up', async () => {
    const world = await aStillWorld()
    await aChild({ folder: world.folder, config })
    const beside = await aFolder()
    const [csv, json, options] = ['log.csv', 'log.json', 'options.json'].map((name) => join(beside, name))
    for (const [words, file] of [
      [['export', 'logs', csv], csv],
      [['export', 'logs', json, '--format', 'json'], json],
      [['export', 'options', options], options],
    ] as const) {
      const ended = await command(world, ...words.map(String))
      expect([ended.code, ended.err]).toEqual([0, ''])
      expect(statSync(String(file)).mode & 0o777).toBe(0o600)
    }
    expect(readFileSync(String(csv), 'utf8')).toContain('created_at,type,kind')
    expect(Array.isArray(JSON.parse(readFileSync(String(json), 'utf8')))).toBe(true)
    expect(JSON.parse(readFileSync(String(options), 'utf8'))).toMatchObject({ product: 'Switchyard' })
    expect(await command(world, 'export', 'logs', String(csv))).toMatchObject({ code: 1 })
    expect(await command(world, 'export', 'everything', 'x')).toMatchObject({ code: 2 })
    const made = await command(world, 'backup', '--json')
    expect(made.code).toBe(0)
    const { name } = told(made)
    expect((await command(world, 'backup', 'list')).out).toContain(`${name}  `)
    expect((await command(world, 'backup', 'remove', name)).code).toBe(0)
    expect((await command(world, 'backup', 'remove', name)).code).toBe(1)
  })
})

describe('the doctor (docs/reference/command-line.md#doctor)', () => {
  const stateOf = async (folder: string, check: string, ...args: string[]) => {
    const ended = await aProcess({ folder, args: ['doctor', '--json', ...args], config }).ended
    const { findings, is_well: isWell } = told(ended)
    expect(ended.code).toBe(isWell ? 0 : 1)
    return findings.find((one: { check: string }) => one.check === check)
  }

  it('finds all well, while a gateway runs too, and changes nothing', async () => {
    const world = await aStillWorld()
    const still = await command(world, 'doctor', '--port', '0')
    expect([still.code, still.err]).toEqual([0, ''])
    expect(still.out).toContain('no gateway has the folder')
    const { url } = await aChild({ folder: world.folder, config })
    const { port } = new URL(url)
    expect(await stateOf(world.folder, 'lock', '--port', port)).toMatchObject({ state: 'ok' })
    expect(await stateOf(world.folder, 'port', '--port', port)).toMatchObject({ state: 'ok' })
    const nowhere = join(await aFolder(), 'nothing-here')
    expect((await command({ folder: nowhere }, 'doctor', '--port', '0')).code).toBe(0)
    expect(existsSync(nowhere)).toBe(false)
  })

  it('reports faults and their repair', async () => {
    const world = await aStillWorld()
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? String(address.port) : ''
    expect(await stateOf(world.folder, 'port', '--port', port)).toMatchObject({
      state: 'problem',
      advice: expect.stringContaining('--port'),
    })
    server.close()
    const vendor = await stateOf(world.folder, 'upstream', '--port', '0', '--upstream', world.upstream.url)
    expect(vendor).toMatchObject({ state: 'ok' })
    const gone = await stateOf(world.folder, 'upstream', '--port', '0', '--upstream', `http://127.0.0.1:${port}`)
    expect(gone).toMatchObject({ state: 'problem' })
    chmodSync(world.folder, 0o755)
    expect(await stateOf(world.folder, 'folder', '--port', '0')).toMatchObject({
      state: 'warning',
      advice: expect.stringContaining('chmod 700'),
    })
    writeFileSync(join(world.folder, 'switchyard.db'), 'no database')
    expect(await stateOf(world.folder, 'database', '--port', '0')).toMatchObject({ state: 'problem' })
    rmSync(join(world.folder, 'switchyard.db'))
    expect(await stateOf(world.folder, 'database', '--port', '0')).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('gone'),
    })
    const keyless = await aProcess({ folder: await aFolder(), args: ['doctor', '--json', '--port', '0'] }).ended
    expect(told(keyless).is_well).toBe(true)
  })
})

describe('the socket for the command line (docs/reference/command-line.md#a-running-gateway)', () => {
  it('requires the secret in a file readable only by its owner, and accepts nothing else', async () => {
    const world = await aStillWorld()
    const child = await aChild({ folder: world.folder, config })
    const file = join(world.folder, 'control.json')
    const { socket, secret } = JSON.parse(readFileSync(file, 'utf8'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    const status = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ socketPath: socket, path: '/api/option', headers: { host: 'localhost', ...headers } }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .once('error', reject)
          .end()
      })
    expect(await status({})).toBe(401)
    expect(await status({ 'x-switchyard-control': 'x'.repeat(43) })).toBe(401)
    expect(await status({ 'x-switchyard-control': secret })).toBe(200)
    // The secret works on the socket, not on the port: there it is an ordinary header.
    const overPort = await fetch(`${child.url}/api/option`, { headers: { 'x-switchyard-control': secret } })
    expect(await overPort.json()).not.toMatchObject({ success: true })
    chmodSync(file, 0o644)
    expect(await command(world, 'channel', 'list')).toMatchObject({ code: 3, err: expect.stringContaining('in use') })
    chmodSync(file, 0o600)
    child.kill('SIGKILL')
    await child.ended
    // Leftovers of a kill are ignored: the folder is free.
    expect((await command(world, 'channel', 'list')).code).toBe(0)
    const again = await aChild({ folder: world.folder, config })
    expect(JSON.parse(readFileSync(file, 'utf8')).secret).not.toBe(secret)
    again.kill('SIGTERM')
    expect((await again.ended).code).toBe(0)
    expect([existsSync(file), existsSync(socket)]).toEqual([false, false])
  })

  it.skipIf(process.platform === 'win32')('has a short path where that of the folder is too long for it', async () => {
    const world = await aStillWorld()
    const folder = join(await aFolder(), 'a'.repeat(60), 'b'.repeat(60))
    cpSync(world.folder, folder, { recursive: true })
    const temporary = await aFolder()
    const start = () => aChild({ folder, config: { ...config, TMPDIR: temporary } })
    const killed = await start()
    expect((await command({ folder }, 'token', 'create', 'far')).code).toBe(0)
    const { socket } = JSON.parse(readFileSync(join(folder, 'control.json'), 'utf8'))
    expect([statSync(dirname(socket)).mode & 0o777, statSync(socket).mode & 0o777]).toEqual([0o700, 0o600])
    killed.kill('SIGKILL')
    await killed.ended
    const child = await start()
    expect((await command({ folder }, 'token', 'create', 'again')).code).toBe(0)
    expect(readdirSync(temporary), 'that of the killed one is gone').toHaveLength(1)
    child.kill('SIGTERM')
    await child.ended
    expect(readdirSync(temporary)).toEqual([])
  })

  it('is not required for a start: without it the gateway runs, and stops as usual', async () => {
    const world = await aStillWorld()
    mkdirSync(join(world.folder, 'control.sock'))
    const child = await aChild({ folder: world.folder, config })
    expect(child.out()).toContain('the command line cannot reach this gateway')
    expect((await command(world, 'channel', 'list')).code).toBe(3)
    child.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
  })

  it('finds an account by its name among many that have it in theirs', async () => {
    const world = await aStillWorld()
    const database = await openDatabase(world.folder, 1)
    const columns = 'username, password, display_name, created_at'
    await sql`insert into users (${sql.raw(columns)})
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 101)
      select 'ann' || i, '', 'ann' || i, 1 from n`.execute(database.db)
    await database.close()
    expect(await command(world, 'token', 'create', 'hers', '--user', 'ann')).toMatchObject({ code: 0, err: '' })
  })

  it('is closed to an account without the permission: roles apply here as everywhere', async () => {
    const world = await aStillWorld()
    await aChild({ folder: world.folder, config })
    const { socket, secret } = JSON.parse(readFileSync(join(world.folder, 'control.json'), 'utf8'))
    const ann = world.admin.id + 1
    const answer = await new Promise<string>((resolve) => {
      const headers = { host: 'localhost', 'x-switchyard-control': secret, 'new-api-user': String(ann) }
      request({ socketPath: socket, path: '/api/option', headers }, async (response) => {
        const parts: Buffer[] = []
        for await (const part of response) parts.push(part)
        resolve(Buffer.concat(parts).toString())
      }).end()
    })
    expect(JSON.parse(answer)).toMatchObject({ success: false })
  })

  it('gets failures as JSON where requested', async () => {
    const { code, out, err } = await command({ folder: await aFolder() }, 'backup', '--json')
    expect([code, out]).toEqual([4, ''])
    expect(JSON.parse(err)).toMatchObject({ exit_code: 4, error: expect.stringContaining('no Switchyard database') })
  })

  it('reports an error of the disk in one line', async () => {
    const world = await aStillWorld()
    const nowhere = join(world.folder, 'nothing', 'file')
    const passphrase = { ...config, SWITCHYARD_PASSPHRASE: 'correct horse battery' }
    for (const args of [
      ['export', 'logs', nowhere],
      ['key', 'export', nowhere],
      ['backup', 'list'],
    ]) {
      if (args[0] === 'backup') writeFileSync(join(world.folder, 'backups'), '')
      const { code, out, err } = await aProcess({ folder: world.folder, args, config: passphrase }).ended
      expect([code, out, err], args.join(' ')).toEqual([1, '', expect.stringMatching(/^.*(ENOENT|ENOTDIR).*\n$/)])
    }
  })

  it('reports that the gateway ended during the command', async () => {
    const { folder } = await aStillWorld()
    const holder = holdFolder(folder)
    const server = createHttpServer((_, answer) => {
      answer.writeHead(200, { 'content-length': 100 }).write('{')
      setTimeout(() => answer.destroy(), 50)
    })
    const socket = join(folder, 'control.sock')
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    onTestFinished(() => void server.close())
    writeFileSync(join(folder, 'control.json'), JSON.stringify({ pid: 1, socket, secret: 'x' }), { mode: 0o600 })
    const { code, err } = await command({ folder }, 'backup', '--json')
    holder.release()
    expect([code, JSON.parse(err)]).toEqual([1, { error: expect.stringContaining('the gateway'), exit_code: 1 }])
  })

  it('is not needed to serve: `serve` is the default without a command', async () => {
    const child = aProcess({ folder: await aFolder(), args: ['serve', '--port', '0'], config })
    await expect.poll(() => child.out(), { timeout: 30_000 }).toContain('Switchyard is listening on ')
    child.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
  })
})
