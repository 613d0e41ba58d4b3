import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGateway } from '../../gateway/composition/create-gateway.ts'
import { readConfig } from '../../gateway/config.ts'
import { headlessSecrets } from '../../gateway/secrets.ts'
import { openDatabase } from '../../gateway/store/sqlite/database.ts'
import { aChild, aProcess, type Ended, type Start } from './child.ts'
import { aFolder, aHouse, modeOf, PROMPT, question, seenBy } from './house.ts'
import { nextRelease } from './second-release.ts'

const end = (start: Start): Promise<Ended> => aProcess(start).ended

async function aTakenPort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  return { server, port }
}

describe('a start that cannot continue reports why in one line (docs/reference/reliability.md#starting)', () => {
  /**
   * Finding the port taken requires no waiting, whatever the machine's load (5 s in
   * docs/reference/reliability.md#faults).
   */
  it('exits 2 when the port is taken', async () => {
    const { server, port } = await aTakenPort()
    onTestFinished(() => void server.close())
    const { code, err } = await end({ folder: await aFolder(), config: { PORT: String(port) } })
    expect(code).toBe(2)
    expect(err).toBe(`port ${port} is in use; stop the other program or choose another port with --port\n`)
  })

  it('leaves nothing running where the process continues, as the desktop does to offer another port', async () => {
    const { server, port } = await aTakenPort()
    onTestFinished(() => void server.close())
    const config = readConfig({ DATA_DIR: await aFolder(), PORT: String(port) }, [])
    const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')]
    onTestFinished(() => void vi.restoreAllMocks())
    const surroundings = { config, secrets: headlessSecrets(config) }
    await expect(createGateway(surroundings)).rejects.toMatchObject({ name: 'CannotStart', exitCode: 2 })
    const stopped = ended.mock.calls.map(([timer]) => timer)
    expect(begun.mock.results.filter(({ value }) => !stopped.includes(value))).toEqual([])
    const again = await createGateway({ ...surroundings, config: { ...config, PORT: 0 } })
    await again.stop()
  })

  it('exits 3 during another one on the same folder; a kill -9 leaves no obstacle', async () => {
    const folder = await aFolder()
    const first = await aChild({ folder })
    const { code, err } = await end({ folder })
    expect(code).toBe(3)
    expect(err).toBe(`another Switchyard is already using the data folder ${folder}\n`)
    first.kill('SIGKILL')
    await first.ended
    const third = await aChild({ folder })
    expect((await fetch(`${third.url}/api/status`)).status).toBe(200)
  })

  it('exits 4 when the data folder cannot be one', async () => {
    const file = join(await aFolder(), 'a-file')
    writeFileSync(file, 'mine')
    const { code, err } = await end({ folder: file })
    expect([code, err]).toEqual([4, `the data folder ${file} cannot be written\n`])
  })

  it('exits 4 when others can read the data key, or the file contains none', async () => {
    const folder = await aFolder()
    const first = await aChild({ folder })
    first.kill('SIGKILL')
    await first.ended
    const file = join(folder, 'master.key')
    for (const [text, mode, said] of [
      [undefined, 0o644, `${file} is readable by other users; run: chmod 600 ${file}\n`],
      ['too short\n', 0o600, `${file} does not hold a data key; restore it from your backup\n`],
    ] as const) {
      if (text) writeFileSync(file, text)
      chmodSync(file, mode)
      const { code, err } = await end({ folder })
      expect([code, err]).toEqual([4, said])
    }
  })
})

/** Takes the write lock of a stopped gateway's database as another program would. */
function locked(folder: string): () => void {
  const other = new Database(join(folder, 'switchyard.db'))
  onTestFinished(() => void other.close())
  other.exec('begin immediate')
  return () => void other.close()
}

/** Each waits five seconds, which cannot be shortened from outside. */
describe('a start while another program has the write lock (docs/reference/reliability.md#faults)', () => {
  it('continues where nothing has to be written, and charges the served requests once the lock is gone', async () => {
    const house = await aHouse()
    const unlock = locked(house.folder)
    const child = await house.start()
    expect((await fetch(`${child.url}/api/status`)).status).toBe(200)
    const seen = await seenBy(child.url, { key: house.keys[0], content: question(3, 0) })
    unlock()
    child.kill('SIGTERM')
    expect(await child.ended).toMatchObject({ code: 0, err: '' })
    const { wrong, charges } = await house.books()
    expect([wrong, charges]).toEqual([[], [[seen.requestId, PROMPT + 3]]])
  })

  it('exits 4 with words where charges of the last run wait, which the next one writes', async () => {
    const house = await aHouse()
    const first = await house.start()
    const flows = new Promise<void>((onPiece) => {
      void seenBy(first.url, { key: house.keys[0], content: question(5, 0, true), onPiece })
    })
    await flows
    const progress = join(house.folder, 'progress.journal')
    await expect.poll(() => statSync(progress).size).toBeGreaterThan(0)
    first.kill('SIGKILL')
    await first.ended
    const unlock = locked(house.folder)
    const config = { SWITCHYARD_MASTER_KEY: house.masterKey }
    const { code, err } = await end({ folder: house.folder, config })
    const said = `what the last run left in ${house.folder} cannot be written: database is locked\n`
    expect([code, err]).toEqual([4, said])
    unlock()
    const next = await house.start()
    next.kill('SIGTERM')
    await next.ended
    const { wrong, charges } = await house.books()
    expect([wrong, charges.length]).toEqual([[], 1])
  })

  it('exits 4 with words where it has to migrate', async () => {
    const folder = await aFolder()
    await (await openDatabase(folder, 0)).close()
    const unlock = locked(folder)
    const message = `another program has locked the database ${join(folder, 'switchyard.db')}; end it and start again`
    await expect(openDatabase(folder, 0, nextRelease)).rejects.toMatchObject({ exitCode: 4, message })
    unlock()
    await (await openDatabase(folder, 0, nextRelease)).close()
  })
})

describe('a bad setting', () => {
  it('exits 1 with one line that names it, and touches nothing', async () => {
    const folder = await aFolder()
    const wrong: readonly (readonly [string, Partial<Start>])[] = [
      ['PORT: must be at most 65535', { config: { PORT: '70000' } }],
      ['PORT: must be a whole number', { args: ['--port', 'abc'] }],
      ['SWITCHYARD_MASTER_KEY: ', { args: [`--switchyard-master-key=${'x'.repeat(64)}`] }],
      ['[^\\n]*--no-such-flag', { args: ['--no-such-flag'] }],
    ]
    for (const [named, how] of wrong) {
      const { code, out, err } = await end({ folder, ...how })
      expect([code, out], named).toEqual([1, ''])
      expect(err).toMatch(new RegExp(`^${named}[^\\n]*\\n$`))
    }
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('a start', () => {
  it('does not change the mode of a folder it did not create, whose files are still only the owner’s', async () => {
    const folder = join(await aFolder(), 'shared')
    mkdirSync(folder, { mode: 0o755 })
    await aChild({ folder })
    expect(modeOf(folder)).toBe('755')
    for (const name of readdirSync(folder)) expect(modeOf(join(folder, name)), name).toBe('600')
  })

  it('prints addresses that can be opened, and the link for the first setup only while that is not done', async () => {
    const fresh = await aChild({ folder: await aFolder(), config: { HOST: '0.0.0.0' } })
    expect(fresh.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(`${fresh.url}/api/status`)).status).toBe(200)
    const link = new RegExp(`^Not set up yet\\. Open this one-time link: ${fresh.url}/setup\\?code=[\\w-]{32}$`, 'm')
    await expect.poll(() => fresh.out()).toMatch(link)
    await expect
      .poll(() => fresh.out())
      .toMatch(/^The link is also saved in \S+\/setup-link until setup is complete\.$/m)
    expect(fresh.out()).not.toContain('0.0.0.0')
    for (const [, other] of fresh.out().matchAll(/^From another device: (\S+)$/gm))
      expect((await fetch(other ?? '')).status, other).toBe(200)
    const house = await aHouse()
    const child = await house.start()
    expect(child.out()).not.toContain('setup?code')
  })
})
