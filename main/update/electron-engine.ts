import { readFile } from 'node:fs/promises'
import type { AppUpdater } from 'electron-updater'
import type { HttpsReader, WantedFile } from '../../gateway/base/https-reader.ts'
import type { Logger } from '../../gateway/base/logger.ts'
import { replaceAppImage } from './app-image.ts'
import { readFound, type Updater } from './updater.ts'

type EngineDeps = Readonly<{
  platform: NodeJS.Platform
  /** Of the program that runs. */
  version: string
  /** Where the package says where its releases are: `app-update.yml`, as electron-builder writes it. */
  feedFile: string
  /** Where a download lies until it is installed. */
  cacheFolder: string
  /** The file of an AppImage that runs. */
  appImage: string | undefined
  reader: HttpsReader
  log: Pick<Logger, 'info' | 'warn'>
  /** Ends the program, by the ways it always ends. */
  quit: () => void
  /** Starts the program again once it has ended. */
  relaunch: () => void
}>

/** A feed is a few lines and its notes. */
const MAX_FEED_BYTES = 256 * 1024
const MAX_DOWNLOAD_BYTES = 1024 ** 3

/**
 * electron-updater over a reader of our own: HTTPS alone, also behind redirects, over the system's proxy, with bounds, and
 * without the id by which it would tell installations apart. It goes up, never down, and does nothing by itself
 * (docs/reference/updates.md#what-is-trusted). It is loaded with the first check.
 */
export function createElectronEngine(deps: EngineDeps): Updater {
  let made: Promise<AppUpdater> | undefined
  let downloaded: string | undefined
  /** Ends the download that goes on. */
  let ending: AbortSignal | undefined
  const engine = () => {
    made ??= makeEngine(deps, () => ending)
    return made
  }
  /** The next start finds the version that was, and says so. */
  let isGoingOn = false
  const goOn = (error: unknown) => {
    if (isGoingOn) return
    isGoingOn = true
    deps.log.warn('an update could not be installed', { error })
    deps.relaunch()
    deps.quit()
  }
  return {
    async check() {
      const answer = await (await engine()).checkForUpdates()
      if (!answer?.isUpdateAvailable) return undefined
      const found = readFound({ ...answer.updateInfo })
      if (!found) throw new Error('the feed names no version')
      return found
    },
    async download(onPercent, signal) {
      const updater = await engine()
      ending = signal
      const report = ({ percent }: { percent: number }) => onPercent(Math.floor(percent))
      updater.on('download-progress', report)
      nameAppImage(deps.appImage)
      try {
        const [file] = await updater.downloadUpdate()
        downloaded = file
      } finally {
        nameAppImage(undefined)
        updater.off('download-progress', report)
      }
    },
    install() {
      if (deps.platform === 'linux') {
        if (downloaded === undefined || deps.appImage === undefined) throw new Error('nothing was downloaded')
        replaceAppImage(deps.appImage, downloaded)
        deps.relaunch()
        return deps.quit()
      }
      const hand = async () => {
        const updater = await engine()
        updater.once('error', goOn)
        // Silent, as the person has said yes already; the installer starts the program again.
        updater.quitAndInstall(true, true)
      }
      hand().catch(goOn)
    },
  }
}

async function makeEngine(deps: EngineDeps, ending: () => AbortSignal | undefined): Promise<AppUpdater> {
  const { AppImageUpdater, MacUpdater, NsisUpdater } = await import('electron-updater')
  const adapter = adapterOf(deps)
  const updater = new { darwin: MacUpdater, win32: NsisUpdater, linux: AppImageUpdater }[systemOf(deps.platform)](
    undefined,
    adapter,
  )
  // It takes no program for an AppImage whose environment says nothing of one.
  if (deps.appImage !== undefined) updater.isUpdaterActive = () => true
  updater.autoDownload = false
  updater.autoInstallOnAppQuit = false
  updater.allowDowngrade = false
  updater.allowPrerelease = false
  updater.disableDifferentialDownload = true
  updater.disableWebInstaller = true
  const { log } = deps
  let unverified: string | null = null
  const report = (text: unknown) => log.info('updater', { said: String(text) })
  const warn = (text: unknown) => {
    const said = String(text)
    if (said.includes('Ignoring signature validation')) unverified = said
    log.warn('updater', { said })
  }
  updater.logger = { info: report, warn, error: warn }
  if (updater instanceof NsisUpdater) {
    const verify = updater.verifyUpdateCodeSignature
    // Where PowerShell does not run it only warns, and takes the file.
    updater.verifyUpdateCodeSignature = async (publishers, file) => {
      unverified = null
      return (await verify(publishers, file)) ?? unverified
    }
  }
  // With an adapter of ours it has no executor; it asks the two members below alone.
  Object.assign(updater, { httpExecutor: executorOf(deps.reader, ending) })
  return updater
}

/**
 * Tells electron-updater, which asks the environment, of the file it is about to download a successor of. Nobody else may hear
 * of it (main/own-app-image.ts), so it is taken out again as soon as the download begins.
 */
function nameAppImage(file: string | undefined): void {
  if (file === undefined) delete process.env.APPIMAGE
  else process.env.APPIMAGE = file
}

const systemOf = (platform: NodeJS.Platform) => (platform === 'darwin' || platform === 'win32' ? platform : 'linux')

/** What it would ask of Electron. */
const adapterOf = ({ version, feedFile, cacheFolder, quit, relaunch }: EngineDeps) => ({
  version,
  name: 'switchyard',
  isPackaged: true,
  appUpdateConfigPath: feedFile,
  userDataPath: cacheFolder,
  baseCachePath: cacheFolder,
  whenReady: () => Promise.resolve(),
  relaunch,
  quit,
  onQuit: () => {},
})

/** How electron-updater names an address. */
type Asked = Readonly<{ protocol?: string | null; hostname?: string | null; port?: unknown; path?: string | null }>

type DownloadAsk = Readonly<{
  sha512?: string | null
  onProgress?: (progress: Readonly<{ percent: number; transferred: number }>) => void
}>

function executorOf(reader: HttpsReader, ending: () => AbortSignal | undefined) {
  const addressOf = ({ protocol, hostname, port, path }: Asked) =>
    new URL(`${protocol ?? 'https:'}//${hostname}${port ? `:${port}` : ''}${path ?? '/'}`)
  return {
    request: (asked: Asked) => reader.text(addressOf(asked), MAX_FEED_BYTES),
    async download(address: URL, destination: string, { sha512, onProgress }: DownloadAsk) {
      nameAppImage(undefined)
      if (!sha512) throw new Error('the feed has no SHA-512 of the file')
      const wanted: WantedFile = {
        sha512,
        maxBytes: MAX_DOWNLOAD_BYTES,
        onProgress: (bytes, total) => total && onProgress?.({ percent: (bytes / total) * 100, transferred: bytes }),
      }
      await reader.file(address, destination, wanted, ending())
      return destination
    },
  }
}

/** Where a package looks for its releases, and whose signature they must have, as electron-builder has written it down. */
export type Feed = Readonly<{ url: string; publisher: string }>

/** Reads it; undefined where the package names no place over HTTPS. */
export async function readFeed(feedFile: string): Promise<Feed | undefined> {
  const text = await readFile(feedFile, 'utf8').catch(() => '')
  const value = (name: string) =>
    new RegExp(`^${name}:\\s*(\\S.*)$`, 'm').exec(text)?.[1]?.replace(/^(['"])(.*)\1\s*$/, '$2') ?? ''
  const url = value('url').trim()
  const isSigned = /^publisherName:/m.test(text)
  return /^https:\/\/[^\s/]/.test(url)
    ? { url, publisher: isSigned ? value('publisherName') || 'several' : '' }
    : undefined
}
