import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { aClient } from '../support/client.ts'
import { PASSWORD } from '../support/world.ts'
import { aChild, aProcess } from './child.ts'
import { aHouse, type House, question, seenBy } from './house.ts'

const mounts = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', folder]).status === 0
const unmount = (folder: string) => void spawnSync('umount', ['-l', folder])

/** A small disk that is removed with the test. */
function aDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-disk-'))
  if (!mounts(folder)) return undefined
  onTestFinished(() => {
    unmount(folder)
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Fills all free bytes of a disk. */
function fill(folder: string): () => void {
  const file = join(folder, 'full')
  for (const size of [1_000_000, 4096, 1])
    for (;;)
      try {
        writeFileSync(file, Buffer.alloc(size), { flag: 'a' })
      } catch {
        break
      }
  return () => rmSync(file)
}

const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-disk-'))
  const can = process.platform === 'linux' && mounts(folder)
  if (can) unmount(folder)
  rmSync(folder, { recursive: true, force: true })
  return can
})()

describe.runIf(canMount)('a start on a full disk (docs/reference/reliability.md#faults)', () => {
  const onDisk = (house: House) => {
    const folder = aDisk() ?? ''
    cpSync(house.folder, folder, { recursive: true })
    return { folder, config: { SWITCHYARD_MASTER_KEY: house.masterKey } }
  }

  it('of a gateway that was killed refuses calls with a message, and serves once there is space', async () => {
    const house = await aHouse()
    const start = onDisk(house)
    const first = await aChild(start)
    const [key] = house.keys
    const ask = (url: string) => seenBy(url, { key, content: question(1, 0) })
    expect((await ask(first.url)).status).toBe(200)
    await expect.poll(() => statSync(join(start.folder, 'ledger.journal')).size).toBe(0)
    first.kill('SIGKILL')
    await first.ended
    const empty = fill(start.folder)
    const second = await aChild(start)
    await expect.poll(async () => (await ask(second.url)).status).toBe(503)
    const visitor = aClient(second.url)
    const login = await visitor.post('/api/user/login', { username: 'root', password: PASSWORD })
    expect(login).toMatchObject({ status: 503, success: false })
    expect(login.message).toContain('The disk of the gateway is full')
    empty()
    await expect.poll(async () => (await ask(second.url)).status).toBe(200)
    expect((await visitor.post('/api/user/login', { username: 'root', password: PASSWORD })).success).toBe(true)
    second.kill('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0, err: '' })
  })

  it('that cannot even open the database reports that in one line, with a code that allows another try', async () => {
    const house = await aHouse()
    const start = onDisk(house)
    const empty = fill(start.folder)
    const { code, err } = await aProcess(start).ended
    expect({ code, err }).toEqual({ code: 5, err: `the disk of ${start.folder} is full; make room and start again\n` })
    empty()
  })
})
