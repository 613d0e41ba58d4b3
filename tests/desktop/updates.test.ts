import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger as log } from '../../gateway/base/log/logger.ts'
import { createHttpsReader } from '../../gateway/base/network/https-reader.ts'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { ownAppImage } from '../../main/app-image-self.ts'
import { type ProgramFacts, teamIn, whyUnavailable } from '../../main/update/availability.ts'
import { startDailyCheck } from '../../main/update/daily-check.ts'
import { createElectronEngine, readFeed } from '../../main/update/electron-engine.ts'
import { MAX_NOTES_LENGTH, readFound, type Updater } from '../../main/update/updater.ts'
import { createUpdates, type UpdateState } from '../../main/update/updates.ts'
import { aFolder } from '../process/house.ts'
import { aSecureServer, type Given } from '../support/secure-server.ts'

const NEW = Buffer.from('#!/bin/sh\necho new\n')
const sumOf = (bytes: Buffer) => createHash('sha512').update(bytes).digest('base64')
/** The user never cancels. */
const unended = new AbortController().signal
const FILE = 'switchyard-9.0.0-linux-x86_64.AppImage'

type Announced = Readonly<{ version?: string; sha512?: string; notes?: string; url?: string }>
const feedOf = ({ version = '9.0.0', sha512 = sumOf(NEW), notes = 'Faster.', url = FILE }: Announced = {}) =>
  [
    `version: ${version}`,
    'files:',
    `  - url: ${url}`,
    `    sha512: ${sha512}`,
    `path: ${url}`,
    `sha512: ${sha512}`,
    `releaseDate: '2026-12-01T10:00:00.000Z'`,
    `releaseNotes: ${JSON.stringify(notes)}`,
  ].join('\n')

/** A running AppImage, and the feed that its package names, through electron-updater and its generic provider. */
async function aProgram(feed: () => Given, file: () => Given = () => NEW, version = '1.0.0') {
  const channel = process.arch === 'x64' ? '' : `-${process.arch}`
  const server = await aSecureServer({ [`/feed/latest-linux${channel}.yml`]: feed, [`/feed/${FILE}`]: file })
  const folder = await aFolder()
  const feedFile = join(folder, 'app-update.yml')
  writeFileSync(feedFile, `provider: generic\nurl: ${server.url}/feed\nupdaterCacheDirName: switchyard-updater\n`)
  const appImage = join(folder, 'Switchyard.AppImage')
  writeFileSync(appImage, 'old', { mode: 0o700 })
  // As the program sets it (main/app-image-self.ts).
  vi.stubEnv('APPIMAGE', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  const [quit, relaunch] = [vi.fn(), vi.fn()]
  const updater = createElectronEngine({
    ...{ platform: 'linux', version, feedFile, appImage, log, quit, relaunch },
    cacheFolder: join(folder, 'updates'),
    reader: createHttpsReader(noSystemProxy, 'Switchyard/1.0.0'),
  })
  return { updater, server, folder, appImage, feedFile, quit, relaunch }
}

// electron-updater updates AppImages only on Linux.
describe.runIf(process.platform === 'linux')('electron-updater over a feed (docs/reference/updates.md)', () => {
  it('finds a newer release, fetches it, and puts it under the name that this one has', async () => {
    const { updater, server, folder, appImage, quit, relaunch } = await aProgram(() => feedOf())
    expect(await updater.check()).toEqual({ version: '9.0.0', notes: 'Faster.', releasedAt: '2026-12-01' })
    expect(
      server.asked.map(({ path }) => path),
      'nothing is fetched by itself',
    ).toHaveLength(1)
    expect(JSON.stringify(server.asked), 'no id of the installation').not.toContain('staging')
    const percents: number[] = []
    await updater.download((percent) => percents.push(percent), unended)
    expect([percents.at(-1), readFileSync(appImage, 'utf8')]).toEqual([100, 'old'])
    expect(process.env.APPIMAGE, 'which programs that it opens would be told').toBeUndefined()
    expect([quit, relaunch].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
    updater.install()
    expect(readFileSync(appImage)).toEqual(NEW)
    expect(statSync(appImage).mode & 0o777, 'what it was').toBe(0o700)
    expect([quit, relaunch].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
    expect(readdirSync(folder).filter((name) => name.includes('.new'))).toEqual([])
  })

  it.each([
    ['an older release', '0.9.9'],
    ['the release that runs', '1.0.0'],
    ['a draft of the release that runs', '1.0.0-beta.1'],
  ])('only goes up: %s is not an update', async (_, version) => {
    const { updater } = await aProgram(() => feedOf({ version }))
    expect(await updater.check()).toBeUndefined()
    await expect(updater.download(() => {}, unended)).rejects.toThrow('Please check update first')
    expect(() => updater.install()).toThrow('nothing was downloaded')
  })

  it('stores nothing of a file that differs from the announcement', async () => {
    const { updater, folder, appImage } = await aProgram(
      () => feedOf(),
      () => Buffer.from('evil'),
    )
    await updater.check()
    await expect(updater.download(() => {}, unended)).rejects.toThrow('does not match its announced SHA-512')
    expect(() => updater.install()).toThrow('nothing was downloaded')
    expect(readFileSync(appImage, 'utf8')).toBe('old')
    expect(readdirSync(join(folder, 'updates/switchyard-updater/pending'))).toEqual([])
  })

  it.each([
    ['at a plain address', 'http://localhost/evil.AppImage', 'is not reached over HTTPS'],
    ['in a file of this computer', 'file:///bin/sh.AppImage', 'is not reached over HTTPS'],
  ])('accepts no release %s', async (_, url, expected) => {
    const { updater } = await aProgram(() => feedOf({ url }))
    await updater.check()
    await expect(updater.download(() => {}, unended)).rejects.toThrow(expected)
  })

  it('accepts no release without a SHA-512, and no feed that is too long, missing, redirected to HTTP, or invalid', async () => {
    const check = async (feed: () => Given) => (await aProgram(feed)).updater.check()
    await expect(check(() => feedOf({ notes: 'x'.repeat(300_000) }))).rejects.toThrow('longer than')
    await expect(check(() => ({ status: 404 }))).rejects.toThrow('status 404')
    await expect(check(() => ({ to: 'http://127.0.0.1:9/latest-linux.yml' }))).rejects.toThrow('HTTPS')
    await expect(check(() => '<html>Log in</html>')).rejects.toThrow()
    await expect(check(() => feedOf({ version: '"../../9.0.0"' }))).rejects.toThrow()
    const bare = await aProgram(() => feedOf().replace(/ {4}sha512: .+/, "    sha2: 'x'"))
    await bare.updater.check()
    await expect(bare.updater.download(() => {}, unended)).rejects.toThrow('no SHA-512')
  })

  it('is fetched no further once that is cancelled, and from the beginning the next time', async () => {
    let file: Given = { begins: '#!' }
    const { updater, server, folder, appImage } = await aProgram(
      () => feedOf(),
      () => file,
    )
    await updater.check()
    const cancel = new AbortController()
    const ended = updater.download(() => {}, cancel.signal)
    await expect.poll(() => server.asked.length).toBe(2)
    cancel.abort()
    await expect(ended).rejects.toThrow()
    expect(readdirSync(join(folder, 'updates/switchyard-updater/pending'))).toEqual([])
    file = NEW
    await updater.download(() => {}, unended)
    updater.install()
    expect(readFileSync(appImage)).toEqual(NEW)
  })

  it('replaces the file that a link leads to, even with leftovers of an earlier attempt', async () => {
    const { updater, folder, appImage } = await aProgram(() => feedOf())
    const real = join(folder, 'real.AppImage')
    renameSync(appImage, real)
    symlinkSync(real, appImage)
    writeFileSync(`${real}.new`, 'half')
    await updater.check()
    await updater.download(() => {}, unended)
    updater.install()
    expect([lstatSync(appImage).isSymbolicLink(), readFileSync(real)]).toEqual([true, NEW])
  })

  it('leaves the program unchanged where the new one cannot be written to the disk', async () => {
    const { updater, appImage, quit } = await aProgram(() => feedOf())
    await updater.check()
    await updater.download(() => {}, unended)
    // A folder in place of the file makes writing fail for every user, root included.
    mkdirSync(`${appImage}.new`)
    expect(() => updater.install()).toThrow()
    expect([readFileSync(appImage, 'utf8'), quit.mock.calls.length]).toEqual(['old', 0])
  })
})

describe('an installer that does not begin', () => {
  it.each([
    ['there is none', 'win32'],
    ['its updater cannot be made', 'sunos'],
  ] as const)('because %s ends the program once, which starts again unchanged', async (_, system) => {
    const [quit, relaunch, warn] = [vi.fn(), vi.fn(), vi.fn()]
    const folder = await aFolder()
    if (system === 'sunos') vi.doMock('electron-updater', () => Promise.reject(new Error('damaged')))
    onTestFinished(() => void vi.doUnmock('electron-updater'))
    const updater = createElectronEngine({
      ...{ platform: 'win32', version: '1.0.0', feedFile: join(folder, 'none.yml'), appImage: undefined },
      cacheFolder: join(folder, 'updates'),
      reader: createHttpsReader(noSystemProxy, 'Switchyard/1.0.0'),
      ...{ log: { ...log, warn }, quit, relaunch },
    })
    updater.install()
    await vi.waitFor(() => expect([quit, relaunch].map(({ mock }) => mock.calls.length)).toEqual([1, 1]))
    expect(warn).toHaveBeenCalledWith('an update could not be installed', { error: expect.any(Error) })
  })
})

describe('the feed of two processors', () => {
  it('gives each its own installer on Windows', async () => {
    const named = ['x64', 'arm64'].map((arch) => ({
      arch,
      url: `switchyard-9.0.0-win-${arch}.exe`,
      bytes: Buffer.from(arch),
    }))
    const files = named.map(({ url, bytes }) => `  - url: ${url}\n    sha512: ${sumOf(bytes)}`)
    const feed = ['version: 9.0.0', 'files:', ...files, "releaseDate: '2026-12-01T10:00:00.000Z'"].join('\n')
    const given = named.map(({ url, bytes }) => [`/${url}`, () => bytes] as const)
    const server = await aSecureServer({ '/latest.yml': () => feed, ...Object.fromEntries(given) })
    const folder = await aFolder()
    const feedFile = join(folder, 'app-update.yml')
    writeFileSync(feedFile, `provider: generic\nurl: ${server.url}\n`)
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
    onTestFinished(() => void vi.restoreAllMocks())
    const updater = createElectronEngine({
      ...{
        platform: 'win32',
        version: '1.0.0',
        feedFile,
        cacheFolder: join(folder, 'updates'),
        appImage: undefined,
        log,
      },
      reader: createHttpsReader(noSystemProxy, 'Switchyard/1.0.0'),
      quit: vi.fn(),
      relaunch: vi.fn(),
    })
    expect(await updater.check()).toMatchObject({ version: '9.0.0', notes: '' })
    await updater.download(() => {}, unended)
    expect(server.asked.map(({ path }) => path)).toEqual(['/latest.yml', `/switchyard-9.0.0-win-${process.arch}.exe`])
  })
})

describe('the notes of a release in a feed', () => {
  it('are bounded text, without characters that reverse it', () => {
    const found = readFound({ version: '2.0.0', releaseNotes: `<b>\u202eevil\u0000\n${'x'.repeat(20_000)}` })
    expect(found?.notes.slice(0, 9)).toBe('<b>evil\nx')
    expect(found?.notes).toHaveLength(MAX_NOTES_LENGTH + 1)
    expect(readFound({ version: '2.0.0', releaseNotes: [{ version: 'x', note: 'y' }], releaseDate: 7 })).toEqual({
      version: '2.0.0',
      notes: '',
      releasedAt: '',
    })
    for (const version of [undefined, '', '2', 'latest', '2.0.0<script>', `2.0.0-${'x'.repeat(80)}`])
      expect(readFound({ version }), String(version)).toBeUndefined()
  })
})

describe('an update, a step at a time', () => {
  const update = { version: '2.0.0', notes: '', releasedAt: '' }
  const anUpdate = (more: Partial<Updater> = {}, wired: Partial<Parameters<typeof createUpdates>[0]> = {}) => {
    const states: UpdateState[] = []
    const done: string[] = []
    const updater: Updater = {
      check: async () => update,
      async download(onPercent) {
        for (const percent of [10, 10, 60, 40, 100]) onPercent(percent)
      },
      install: () => void done.push('installed'),
      ...more,
    }
    const updates = createUpdates({
      updater,
      why: async () => undefined,
      async backUp() {
        done.push('backed up')
        return { name: 'switchyard-20261201T100000Z.db', isVerified: true }
      },
      remember: (_, backup) => void done.push(`remembered ${backup}`),
      stopThen(step) {
        done.push('stopped')
        step()
      },
      messageOf: (error) => (error as Error).message,
      onChange: (state) => void states.push(state),
      log,
      ...wired,
    })
    return { updates, states, done, kinds: () => states.map(({ kind }) => kind) }
  }

  it('waits for a yes at each step, backs up and remembers that, stops, and only then installs', async () => {
    const { updates, states, done, kinds } = anUpdate()
    await updates.restartAndInstall()
    await updates.download()
    expect(kinds()).toEqual([])
    expect(await updates.check()).toEqual(update)
    await updates.restartAndInstall()
    await updates.download()
    expect(states.flatMap((state) => ('percent' in state ? [state.percent] : []))).toEqual([0, 10, 60, 100])
    expect(done).toEqual([])
    expect(await updates.check(), 'what is ready is not lost').toEqual(update)
    await Promise.all([updates.restartAndInstall(), updates.restartAndInstall()])
    expect(done).toEqual(['backed up', 'remembered switchyard-20261201T100000Z.db', 'stopped', 'installed'])
    expect(kinds().slice(-2)).toEqual(['backingUp', 'restarting'])
  })

  it.each([
    ['the backup fails', { backUp: () => Promise.reject(new Error('no room')) }, 'no room'],
    [
      'the books of the backup do not agree',
      { backUp: async () => ({ name: 'b.db', isVerified: false }) },
      'the balances in the backup b.db differ from their ledger',
    ],
    [
      'the way back cannot be remembered',
      {
        remember() {
          throw new Error('disk full')
        },
      },
      'disk full',
    ],
  ])('is not applied where %s', async (_, wired, expected) => {
    const { updates, done } = anUpdate({}, wired)
    await updates.check()
    await updates.download()
    await updates.restartAndInstall()
    expect(updates.state()).toEqual({ kind: 'failed', step: 'backUp', message: expected, update })
    expect(done.filter((step) => step !== 'backed up')).toEqual([])
    await updates.download()
    expect(updates.state().kind, 'it lies there').toBe('failed')
  })

  it('ends a download on request, which can start again', async () => {
    const signals: AbortSignal[] = []
    const { updates, kinds } = anUpdate({
      download: (_, signal) =>
        new Promise((_resolve, reject) => {
          signals.push(signal)
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    })
    updates.cancel()
    await updates.check()
    for (const again of [1, 2]) {
      const download = updates.download()
      updates.cancel()
      await download
      expect([signals.length, kinds().at(-1)]).toEqual([again, 'found'])
    }
    updates.cancel()
    expect(updates.state()).toEqual({ kind: 'found', update })
  })

  it('reports a failure, and can be tried again', async () => {
    let tries = 0
    const { updates, kinds } = anUpdate({
      download: async () => {
        tries += 1
        if (tries === 1) throw new Error('gone')
      },
    })
    await updates.check()
    await updates.download()
    expect(updates.state()).toMatchObject({ kind: 'failed', step: 'download', message: 'gone' })
    await updates.download()
    expect(kinds().at(-1)).toBe('ready')
    const failing = anUpdate({ check: () => Promise.reject(new Error('offline')) }).updates
    expect(await failing.check()).toBeUndefined()
    expect(failing.state()).toMatchObject({ kind: 'failed', step: 'check', message: 'offline' })
    const newest = anUpdate({ check: async () => undefined })
    await newest.updates.check()
    expect(newest.kinds()).toEqual(['checking', 'newest'])
    const check = vi.fn()
    const none = anUpdate({ check }, { why: async () => 'package' })
    await none.updates.check()
    expect(none.updates.state()).toEqual({ kind: 'unavailable', why: 'package' })
    expect(check).not.toHaveBeenCalled()
  })
})

describe('the daily check', () => {
  it('runs where it is enabled, once in a day, also after the clock was ahead', async () => {
    let [now, last, isOn] = [1_000_000, 0, false]
    const check = vi.fn(async () => {})
    const storeLast = (seconds: number) => {
      last = seconds
    }
    const look = startDailyCheck({ isOn: () => isOn, last: () => last, storeLast, nowSeconds: () => now, check })
    await look()
    expect(check).not.toHaveBeenCalled()
    isOn = true
    await look()
    now += 86_399
    await look()
    expect(check).toHaveBeenCalledTimes(1)
    now += 1
    await look()
    expect(check).toHaveBeenCalledTimes(2)
    now -= 500_000
    await look()
    expect([check.mock.calls.length, last]).toEqual([3, now])
  })
})

describe('whether a program can update itself (docs/reference/updates.md#supported-packages)', () => {
  const facts = async (feed: string, more: Partial<ProgramFacts> = {}): Promise<ProgramFacts> => {
    const feedFile = join(await aFolder(), 'app-update.yml')
    if (feed !== '') writeFileSync(feedFile, feed)
    return {
      isPackaged: true,
      platform: 'linux',
      environment: {},
      appImage: undefined,
      feedFile,
      signer: async () => '',
      ...more,
    }
  }
  const feed = 'provider: generic\nurl: https://example.org/feed\n'
  const appImage = import.meta.filename
  const readOnly = '/proc/self/status'

  it.each([
    ['an AppImage', feed, { appImage }, undefined],
    ['one that was not packed', feed, { isPackaged: false, appImage }, 'development'],
    ['an AppImage in a folder that takes no file', feed, { appImage: readOnly }, 'closedFolder'],
    ['an AppImage that is gone', feed, { appImage: `${appImage}.gone` }, 'closedFolder'],
    ['a deb or an rpm', feed, {}, 'package'],
    ['a snap', feed, { environment: { SNAP: '/snap/x' }, appImage }, 'snap'],
    ['one without a feed', '', { appImage }, 'noFeed'],
    ['one with a plain feed', feed.replace('https', 'http'), { appImage }, 'noFeed'],
    ['Windows, unsigned', feed, { platform: 'win32' }, 'unsigned'],
    ['Windows, signed', `${feed}publisherName:\n  - Switchyard\n`, { platform: 'win32' }, undefined],
    ['macOS, unsigned', feed, { platform: 'darwin' }, 'unsigned'],
    ['macOS, signed', feed, { platform: 'darwin', signer: async () => 'ABCDE12345' }, undefined],
  ] as const)('%s', async (_, text, more, why) => expect(await whyUnavailable(await facts(text, more))).toBe(why))

  it('looks only at its own AppImage, not at the one that a terminal was started from', () => {
    const given = { APPIMAGE: appImage, APPDIR: '/tmp/.mount_Editor' }
    expect(ownAppImage(given, '/tmp/.mount_Editor/switchyard')).toBe(appImage)
    for (const program of ['/opt/Switchyard/switchyard', '/tmp/.mount_Editor2/switchyard'])
      expect(ownAppImage(given, program)).toBeUndefined()
    expect(ownAppImage({ APPIMAGE: appImage }, '/opt/Switchyard/switchyard')).toBeUndefined()
  })

  it('looks at the signature that macOS reports', () => {
    expect(teamIn('Identifier=dev.switchyard.app\nSignature=adhoc\nTeamIdentifier=not set\n')).toBe('')
    expect(teamIn('Authority=Developer ID\nTeamIdentifier=ABCDE12345\nSealed Resources\n')).toBe('ABCDE12345')
    expect(teamIn('code object is not signed at all')).toBe('')
  })

  it('reads the feed as electron-builder writes it', async () => {
    const { feedFile } = await facts(`provider: generic\nurl: 'https://example.org/a b'\npublisherName: One\n`)
    expect(await readFeed(feedFile)).toEqual({ url: 'https://example.org/a b', publisher: 'One' })
  })
})
