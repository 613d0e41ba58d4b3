import childProcess from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { silentLogger as log } from '../../gateway/base/log/logger.ts'
import { createHttpsReader } from '../../gateway/base/network/https-reader.ts'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { createElectronEngine } from '../../main/update/electron-engine.ts'
import { aFolder } from '../process/house.ts'
import { aSecureServer } from '../support/secure-server.ts'

const FILE = 'switchyard-9.0.0-win-x64.exe'
const NEW = Buffer.from('MZ new')
const OURS = 'CN=Switchyard Maintainers, O=Switchyard, C=DE'
/** PowerShell's output about a file; undefined if it cannot be started. */
type Said = ((file: string) => object) | undefined

/**
 * Stands in for PowerShell: electron-updater uses it to read the signature of the fetched file, and then to find out
 * whether it runs at all.
 */
function withPowerShell(said: Said): void {
  const asked = (_: string, args: readonly string[], __: object, done: (...ends: unknown[]) => void) => {
    const file = /-LiteralPath '(.+)' \|/.exec(args.at(-1) ?? '')?.[1] ?? ''
    if (said) done(null, JSON.stringify(said(file)), '')
    else done(new Error('powershell.exe is blocked'), '', '')
  }
  vi.spyOn(childProcess, 'execFile').mockImplementation(asked as never) // the only overload that is used
  vi.spyOn(childProcess, 'execFileSync').mockImplementation(() => {
    if (!said) throw new Error('powershell.exe is blocked')
    return ''
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

/** A Windows program whose package names a publisher, before an update. */
async function aProgram(said: Said, given = NEW) {
  withPowerShell(said)
  const sum = createHash('sha512').update(NEW).digest('base64')
  const feed = `version: 9.0.0\nfiles:\n  - url: ${FILE}\n    sha512: ${sum}\nreleaseDate: '2026-12-01T10:00:00.000Z'`
  const server = await aSecureServer({ '/latest.yml': () => feed, [`/${FILE}`]: () => given })
  const folder = await aFolder()
  const feedFile = join(folder, 'app-update.yml')
  writeFileSync(
    feedFile,
    `provider: generic\nurl: ${server.url}\nupdaterCacheDirName: switchyard-updater\npublisherName:\n  - ${JSON.stringify(OURS)}\n`,
  )
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  vi.spyOn(os, 'release').mockReturnValue('10.0.22631')
  const updater = createElectronEngine({
    ...{ platform: 'win32', version: '1.0.0', feedFile, appImage: undefined, log, quit: vi.fn(), relaunch: vi.fn() },
    cacheFolder: join(folder, 'updates'),
    reader: createHttpsReader(noSystemProxy, 'Switchyard/1.0.0'),
  })
  await updater.check()
  const pending = join(folder, 'updates/switchyard-updater/pending')
  return {
    fetched: () => updater.download(() => {}, new AbortController().signal),
    kept: () => (existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith('.exe')) : []),
  }
}

const signedBy =
  (subject: string, status = 0) =>
  (file: string) => ({ Status: status, Path: file, SignerCertificate: { Subject: subject } })

describe('an update of Windows (docs/reference/updates.md#trust)', () => {
  it('is accepted if its publisher is that of the program', async () => {
    const { fetched, kept } = await aProgram(signedBy(OURS))
    await fetched()
    expect(kept()).toEqual([FILE])
  })

  it.each<[string, Said]>([
    ['another has signed it', signedBy('CN=Somebody Else, O=Switchyard, C=DE')],
    ['another of the same name has signed it', signedBy('CN=Switchyard Maintainers, O=Elsewhere, C=DE')],
    ['its signature is not valid', signedBy(OURS, 3)],
    ['nobody has signed it', (file) => ({ Status: 2, Path: file, SignerCertificate: null })],
    ['PowerShell looked at another file', () => signedBy(OURS)('C:\\other.exe')],
    ['nobody can say who has signed it', undefined],
  ])('is not accepted if %s', async (_, said) => {
    const { fetched, kept } = await aProgram(said)
    await expect(fetched()).rejects.toThrow()
    expect(kept()).toEqual([])
  })

  it('is not accepted if it differs from the announcement, no matter who has signed it', async () => {
    const { fetched, kept } = await aProgram(signedBy(OURS), Buffer.from('MZ evil'))
    await expect(fetched()).rejects.toThrow('does not match its announced SHA-512')
    expect(kept()).toEqual([])
  })
})
