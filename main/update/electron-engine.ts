import { readFile } from 'node:fs/promises'
import type { AppUpdater } from 'electron-updater'
import type { Logger } from '../../gateway/base/log/logger.ts'
import type { HttpsReader, WantedFile } from '../../gateway/base/network/https-reader.ts'
import { replaceAppImage } from './app-image.ts'
import { readFound, type Updater } from './updater.ts'

type EngineDeps = Readonly<{
  platform: NodeJS.Platform
  version: string
  /** The package's feed configuration: `app-update.yml` of electron-builder. */
  feedFile: string
  /** The folder of downloads, until they are installed. */
  cacheFolder: string
  /** The running AppImage. */
  appImage: string | undefined
  reader: HttpsReader
  log: Pick<Logger, 'info' | 'warn'>
  /** Quits the program in the usual way. */
  quit: () => void
  relaunch: () => void
}>

/** Maximum size of a feed, which has a few lines and the release notes. */
const MAX_FEED_BYTES = 256 * 1024
const MAX_DOWNLOAD_BYTES = 1024 ** 3

/**
 * electron-updater with its own HTTP client: HTTPS only, including redirects, with the system's proxy, with size
 * limits, and without the id that identifies installations. It only upgrades, and only on request
 * (docs/reference/updates.md#trust). Loaded on the first check.
 */
export function createElectronEngine(deps: EngineDeps): Updater {
  let made: Promise<AppUpdater> | undefined
  let downloaded: string | undefined
  let ending: AbortSignal | undefined
  const engine = () => {
    made ??= makeEngine(deps, () => ending)
    return made
  }
  /** Whether an installation has failed and the old version is restarting; its next start reports the failure. */
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
        // Silent, because the user has already confirmed; the installer restarts the program.
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
  // electron-updater recognizes an AppImage only by APPIMAGE, which this program has removed from the environment.
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
    const line = String(text)
    if (line.includes('Ignoring signature validation')) unverified = line
    log.warn('updater', { said: line })
  }
  updater.logger = { info: report, warn, error: warn }
  if (updater instanceof NsisUpdater) {
    const verify = updater.verifyUpdateCodeSignature
    // If PowerShell is not available, electron-updater only warns, and accepts the file.
    updater.verifyUpdateCodeSignature = async (publishers, file) => {
      unverified = null
      return (await verify(publishers, file)) ?? unverified
    }
  }
  // With a custom adapter, electron-updater has no executor; it uses only the two members that this one has.
  Object.assign(updater, { httpExecutor: executorOf(deps.reader, ending) })
  return updater
}

/**
 * Sets or removes APPIMAGE, from which electron-updater reads the path of the AppImage to replace. Child processes must
 * not inherit this variable (main/app-image-self.ts), so it is removed as soon as the download starts.
 */
function nameAppImage(file: string | undefined): void {
  if (file === undefined) delete process.env.APPIMAGE
  else process.env.APPIMAGE = file
}

const systemOf = (platform: NodeJS.Platform) => (platform === 'darwin' || platform === 'win32' ? platform : 'linux')

/** Replaces what electron-updater reads from Electron. */
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

/** An address in electron-updater's format. */
type FeedAddress = Readonly<{
  protocol?: string | null
  hostname?: string | null
  port?: unknown
  path?: string | null
}>

type DownloadRequest = Readonly<{
  sha512?: string | null
  onProgress?: (progress: Readonly<{ percent: number; transferred: number }>) => void
}>

function executorOf(reader: HttpsReader, ending: () => AbortSignal | undefined) {
  const addressOf = ({ protocol, hostname, port, path }: FeedAddress) =>
    new URL(`${protocol ?? 'https:'}//${hostname}${port ? `:${port}` : ''}${path ?? '/'}`)
  return {
    request: (request: FeedAddress) => reader.text(addressOf(request), MAX_FEED_BYTES),
    async download(address: URL, destination: string, { sha512, onProgress }: DownloadRequest) {
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

/**
 * The package's release location and required publisher, as written by electron-builder; `publisher` is `several` for a
 * list, and empty without one.
 */
type Feed = Readonly<{ url: string; publisher: string }>

/** Reads the feed configuration; undefined if it has no HTTPS address. */
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
