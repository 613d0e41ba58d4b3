import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger as log } from '../../gateway/base/log/logger.ts'
import { createHttpsReader } from '../../gateway/base/network/https-reader.ts'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { createElectronEngine } from '../../main/update/electron-engine.ts'
import { aFolder } from '../process/house.ts'
import { aSecureServer } from '../support/secure-server.ts'

/**
 * Electron's own updater of macOS, as electron-updater drives it: it fetches the file at the given address, then
 * installs it.
 */
class NativeUpdater extends EventEmitter {
  fetched = ''
  readonly quitAndInstall = vi.fn()
  #feed = { url: '', headers: {} }
  setFeedURL(feed: { url: string; headers: Record<string, string> }): void {
    this.#feed = feed
  }
  async checkForUpdates(): Promise<void> {
    const { url } = await (await fetch(this.#feed.url, { headers: this.#feed.headers })).json()
    this.fetched = await (await fetch(url)).text()
    this.emit('update-downloaded')
  }
}

/** Electron-updater loads it by `require`, which fails in plain Node. */
function withNative(native: NativeUpdater): void {
  const require = createRequire(import.meta.url)
  const modulePath = require.resolve('electron')
  const exports = { autoUpdater: native }
  require.cache[modulePath] = Object.assign(new Module(modulePath), { exports, loaded: true })
  onTestFinished(() => void delete require.cache[modulePath])
}

/** A macOS program that has found a release; `fileOf` is the server's response for a file name. */
async function aProgram(fileOf = (name: string) => Buffer.from(name)) {
  const native = new NativeUpdater()
  withNative(native)
  const names = ['x64', 'arm64'].flatMap((arch) => ['dmg', 'zip'].map((kind) => `switchyard-9.0.0-mac-${arch}.${kind}`))
  const sums = names.map((name) => createHash('sha512').update(name).digest('base64'))
  const files = names.map((name, index) => `  - url: ${name}\n    sha512: ${sums[index]}\n    size: ${name.length}`)
  const feed = ['version: 9.0.0', 'files:', ...files, "releaseDate: '2026-12-01T10:00:00.000Z'"].join('\n')
  const given = names.map((name) => [`/${name}`, () => fileOf(name)] as const)
  const server = await aSecureServer({ '/latest-mac.yml': () => feed, ...Object.fromEntries(given) })
  const folder = await aFolder()
  const feedFile = join(folder, 'app-update.yml')
  writeFileSync(feedFile, `provider: generic\nurl: ${server.url}\n`)
  vi.spyOn(process, 'platform', 'get').mockReturnValue('darwin')
  onTestFinished(() => void vi.restoreAllMocks())
  const [quit, relaunch] = [vi.fn(), vi.fn()]
  const updater = createElectronEngine({
    ...{ platform: 'darwin', version: '1.0.0', feedFile, appImage: undefined, log, quit, relaunch },
    cacheFolder: join(folder, 'updates'),
    reader: createHttpsReader(noSystemProxy, 'Switchyard/1.0.0'),
  })
  expect(await updater.check()).toMatchObject({ version: '9.0.0' })
  return { native, server, updater, folder, quit, relaunch }
}

it('hands only Electron’s own macOS updater the fetched file for this processor (docs/reference/updates.md)', async () => {
  const { native, server, updater, quit, relaunch } = await aProgram()
  await updater.download(() => {}, new AbortController().signal)
  expect([native.fetched, native.quitAndInstall.mock.calls]).toEqual(['', []])
  updater.install()
  await vi.waitFor(() => expect(native.quitAndInstall).toHaveBeenCalledOnce())
  expect(native.fetched).toMatch(process.arch === 'arm64' ? /-mac-arm64\.zip$/ : /-mac-(x64|arm64)\.zip$/)
  expect(server.asked.map(({ path }) => path)).toEqual(['/latest-mac.yml', `/${native.fetched}`])
  expect([quit.mock.calls, relaunch.mock.calls]).toEqual([[], []])
})

it('hands it nothing that differs from the announcement (docs/reference/updates.md#trust)', async () => {
  const { native, updater, folder } = await aProgram(() => Buffer.from('evil'))
  await expect(updater.download(() => {}, new AbortController().signal)).rejects.toThrow(
    'does not match its announced SHA-512',
  )
  expect(native.fetched).toBe('')
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.zip'))).toEqual([])
})
