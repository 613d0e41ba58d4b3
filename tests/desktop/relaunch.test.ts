import { EventEmitter } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { argumentsAgain, relaunch } from '../../main/relaunch.ts'
import { electron } from '../support/electron.ts'

const app = Object.assign(new EventEmitter(), { relaunch: vi.fn(), releaseSingleInstanceLock: vi.fn() })
Object.assign(electron, { app })

afterEach(() => {
  vi.clearAllMocks()
  app.removeAllListeners()
})

it('starts the installed program again through Electron', () => {
  relaunch(undefined)
  app.emit('quit')
  expect(app.relaunch).toHaveBeenCalledOnce()
  expect(app.releaseSingleInstanceLock).not.toHaveBeenCalled()
})

it.skipIf(process.platform === 'win32')(
  'starts the file of an AppImage, once this program has released it',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'switchyard-relaunch-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const started = join(folder, 'started')
    const file = join(folder, 'Switchyard.AppImage')
    await writeFile(file, `#!/bin/sh\necho started > '${started}'\n`)
    await chmod(file, 0o755)
    relaunch(file)
    expect(app.relaunch).not.toHaveBeenCalled()
    expect(existsSync(started)).toBe(false)
    app.emit('quit')
    expect(app.releaseSingleInstanceLock).toHaveBeenCalledOnce()
    await expect.poll(() => existsSync(started) && readFileSync(started, 'utf8')).toBe('started\n')
  },
)

it('shows its window: neither the login nor a link has caused this start', () => {
  expect(argumentsAgain(['.', '--hidden', '--no-sandbox', 'switchyard://open/log'])).toEqual(['.', '--no-sandbox'])
})

it('ends quietly where the AppImage is gone', async () => {
  relaunch(join(tmpdir(), 'nothing-of-that-name.AppImage'))
  app.emit('quit')
  // An unhandled rejection would end the process in the next turns.
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(app.releaseSingleInstanceLock).toHaveBeenCalledOnce()
})
