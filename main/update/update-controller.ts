import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { app, session, shell } from 'electron'
import { systemClock, unixSeconds } from '../../gateway/base/clock.ts'
import { GatewayError } from '../../gateway/base/errors.ts'
import type { Logger } from '../../gateway/base/log/logger.ts'
import { createHttpsReader } from '../../gateway/base/network/https-reader.ts'
import { noSystemProxy } from '../../gateway/base/network/system-proxy.ts'
import { formatMessage, type Locale } from '../../shared/messages/format.ts'
import { changeChoices, readChoices } from '../desktop-file.ts'
import type { Host } from '../gateway-host.ts'
import type { Translate } from '../language.ts'
import type { NoticeText } from '../notifications.ts'
import { createPlainWindow } from '../plain-window.ts'
import type { Quitting } from '../quit.ts'
import { createSystemProxy } from '../system-proxy.ts'
import { macSigner, type ProgramFacts, whyUnavailable } from './availability.ts'
import { startDailyCheck } from './daily-check.ts'
import { createElectronEngine } from './electron-engine.ts'
import { installedAs } from './installed-as.ts'
import { releasesPage } from './releases-page.ts'
import { choicesForUpdate, installerName, rollbackOf, startedAs } from './rollback.ts'
import { actionIn, type UpdateAction, updatePage } from './update-page.ts'
import type { FoundUpdate } from './updater.ts'
import { createUpdates, type UpdatesDeps } from './updates.ts'

type UpdateControllerDeps = Readonly<{
  host: Host
  folder: string
  translate: Translate
  locale: () => Locale
  /** The AppImage of this program; undefined if there is none. */
  appImage: string | undefined
  startAgain: () => void
  quitting: Pick<Quitting, 'endWith'>
  /** Shows a desktop notification, if enabled for updates. */
  notify: (notice: NoticeText, onClick: () => void) => void
  attempt: (step: () => void) => void
  /** Called when the daily check is switched on or off, because the tray shows that setting. */
  onChange: () => void
  log: Logger
}>

/** The user interface of updates: a page, a setting, and notifications. */
interface UpdateController {
  /** Shows the page; checks for a newer release unless one was found or an update is in progress. */
  open(): void
  isDaily(): boolean
  setDaily(isOn: boolean): void
  /** Reports the result of the last update once, and starts the daily check if enabled. */
  begin(): void
}

/**
 * Wires updates into this program (docs/reference/updates.md). Makes no network request before the user requests one.
 */
export function createUpdateController(deps: UpdateControllerDeps): UpdateController {
  const { folder, locale, attempt, onChange } = deps
  const page = releasesPage(app.getAppPath())
  const updates = createUpdates({ ...updatesOf(deps), onChange: () => window.draw() })
  const isDaily = () => readChoices(folder).checksDaily ?? false
  const setDaily = (isOn: boolean) => {
    attempt(() => changeChoices(folder, { checksDaily: isOn }))
    onChange()
    window.draw()
    if (isOn) void look()
  }
  const acts: Record<UpdateAction, () => void> = {
    check: () => void updates.check(),
    download: () => void updates.download(),
    cancel: () => updates.cancel(),
    install: () => void updates.restartAndInstall(),
    page: () => void (page !== undefined && shell.openExternal(page).catch(() => {})),
    close: () => window.close(),
    daily: () => setDaily(true),
    notDaily: () => setDaily(false),
  }
  const view = () => ({
    ...versionHistory(deps),
    state: updates.state(),
    isDaily: isDaily(),
    hasPage: page !== undefined,
  })
  const window = createPlainWindow({
    partition: 'updates',
    width: 680,
    height: 640,
    page: () => updatePage(view(), locale()),
    press(address) {
      const action = actionIn(address)
      if (action) acts[action]()
    },
  })
  const open = () => {
    window.show()
    if (!['found', 'ready', 'downloading'].includes(updates.state().kind)) void updates.check()
  }
  const look = startDailyCheck({
    isOn: isDaily,
    last: () => readChoices(folder).lastCheck ?? 0,
    storeLast: (lastCheck) => attempt(() => changeChoices(folder, { lastCheck })),
    nowSeconds: () => unixSeconds(systemClock),
    check: async () => notifyFound(await updates.check(), deps, open),
  })
  return {
    open,
    isDaily,
    setDaily,
    begin() {
      notifyStart(deps, { open, show: window.show })
      void look()
    },
  }
}

function updatesOf(deps: UpdateControllerDeps): Omit<UpdatesDeps, 'onChange'> {
  const { host, folder, locale, appImage, quitting, log } = deps
  const facts = factsOfProgram(appImage)
  return {
    updater: engineOf(deps, facts.feedFile),
    why: () => whyUnavailable(facts),
    backUp: () => host.gateway.backUp(),
    remember: (update, backup) =>
      changeChoices(folder, choicesForUpdate(app.getVersion(), update, backup, unixSeconds(systemClock))),
    stopThen: (step) => quitting.endWith(() => orRestart(step, deps)),
    messageOf: (error) =>
      error instanceof GatewayError ? formatMessage(locale(), error.key, error.params) : firstLine(error),
    log,
  }
}

/** The current version, and how to restore the previous one. */
function versionHistory({ folder, appImage }: UpdateControllerDeps) {
  const version = app.getVersion()
  const rollback = rollbackOf(version, readChoices(folder))
  const installation = installedAs(process.platform, appImage !== undefined, existsSync)
  return {
    version,
    rollback,
    installer: installerName(rollback?.from ?? version, process.arch, installation),
    installedAs: installation,
  }
}

/** Notifies the user about a release found by the daily check, once per release. */
function notifyFound(
  found: FoundUpdate | undefined,
  { folder, translate, notify, attempt }: UpdateControllerDeps,
  open: () => void,
) {
  if (!found || readChoices(folder).toldOf === found.version) return
  attempt(() => changeChoices(folder, { toldOf: found.version }))
  notify({ title: translate('update.told', { next: found.version }), body: translate('update.toldHow') }, open)
}

/** Notifies the user once about the result of the last update, and stores the current version. */
function notifyStart(
  { folder, translate, notify, attempt }: UpdateControllerDeps,
  { open, show }: Readonly<{ open: () => void; show: () => void }>,
): void {
  const version = app.getVersion()
  const { updatedFrom, missed, choices } = startedAs(version, readChoices(folder), unixSeconds(systemClock))
  if (Object.keys(choices).length > 0) attempt(() => changeChoices(folder, choices))
  if (updatedFrom !== undefined) {
    attempt(() => rmSync(join(folder, DOWNLOADS), { recursive: true, force: true }))
    notify(
      { title: translate('update.done', { version }), body: translate('update.doneHow', { from: updatedFrom }) },
      show,
    )
  }
  if (missed !== undefined)
    notify(
      { title: translate('update.missed', { next: missed }), body: translate('update.missedHow', { version }) },
      open,
    )
}

/** The subfolder that holds downloaded updates until they are installed. */
const DOWNLOADS = 'updates'

const factsOfProgram = (appImage: string | undefined): ProgramFacts => ({
  isPackaged: app.isPackaged,
  platform: process.platform,
  environment: process.env,
  appImage,
  feedFile: join(process.resourcesPath, 'app-update.yml'),
  signer: () => macSigner(process.execPath),
})

function engineOf({ host, folder, appImage, startAgain, log }: UpdateControllerDeps, feedFile: string) {
  const system = createSystemProxy((url) => session.defaultSession.resolveProxy(url), systemClock)
  return createElectronEngine({
    platform: process.platform,
    version: app.getVersion(),
    feedFile,
    cacheFolder: join(folder, DOWNLOADS),
    appImage,
    reader: createHttpsReader(host.config.USE_SYSTEM_PROXY ? system : noSystemProxy, `Switchyard/${app.getVersion()}`),
    log,
    quit: () => app.quit(),
    relaunch: startAgain,
  })
}

/** Runs the installation; if it fails, restarts the current version, which reports the failure. */
function orRestart(step: () => void, { log, startAgain }: UpdateControllerDeps): void {
  try {
    step()
  } catch (error) {
    log.error('an update could not be installed', { error })
    startAgain()
    app.quit()
  }
}

/**
 * The first line of an error's message, at most 300 characters: a library's message may continue with a server's
 * response.
 */
const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1).join('').slice(0, 300)
