import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, powerMonitor, session } from 'electron'
import { systemClock } from '../gateway/base/clock.ts'
import { GatewayError } from '../gateway/base/errors.ts'
import { FAULT_EXIT, watchFaults } from '../gateway/base/log/faults.ts'
import { createLogFile } from '../gateway/base/log/log-file.ts'
import { createLogger } from '../gateway/base/log/logger.ts'
import { setOwnCommand } from '../gateway/base/own-command.ts'
import type { Gateway } from '../gateway/composition/create-gateway.ts'
import { formatMessage } from '../shared/messages/format.ts'
import { localeOf } from '../shared/messages/locales.ts'
import { SHARE_PAGE } from '../shared/share/page.ts'
import { leaveAppImage } from './app-image-self.ts'
import { commandIn, runCommandLine } from './command-line.ts'
import { type ConsoleWindowDeps, createConsoleWindow } from './console-window.ts'
import { mendCrashes } from './crash.ts'
import { setDataFolder } from './data-folder.ts'
import { LINK_SCHEME, pageInArguments, pageOfLink } from './deep-link.ts'
import { changeChoices, readChoices } from './desktop-file.ts'
import type { Host, System } from './gateway-host.ts'
import { APP_ID } from './keychain.ts'
import { speak, type Translate } from './language.ts'
import { watchLastWindow } from './last-window.ts'
import { createLockedOut } from './locked-out.ts'
import { createLoginItem, HIDDEN } from './login-item.ts'
import { copyText, createNativeMenu } from './native-menu.ts'
import { createNoticeChoice, shownNotices } from './notice-choice.ts'
import { createDesktopNotices, createNotifications, type NoticeText } from './notifications.ts'
import { ownCommand } from './own-command.ts'
import { createPendingOpenRequests } from './pending-open-requests.ts'
import { type Quitting, stopBeforeQuitting } from './quit.ts'
import { relaunch } from './relaunch.ts'
import { startOrMend } from './start.ts'
import { createStartupWindow } from './startup-window.ts'
import { createSystemProxy } from './system-proxy.ts'
import { createTray } from './tray.ts'
import { createUpdateController } from './update/update-controller.ts'

/** First, because child processes inherit the environment. */
const appImage = leaveAppImage(process.env, process.execPath)
setOwnCommand(
  ownCommand({ platform: process.platform, appImage, resources: process.resourcesPath, isThere: existsSync }),
)
const startAgain = () => relaunch(appImage)
const monotonic = () => systemClock.monotonic()
const early = createPendingOpenRequests()
const showNotification = createNotifications()
/** Shows a window in response to a launch, link or click, at a page if given. */
let show: (page?: string) => void = early.note
let locale = () => systemLocale()
/** Called when the last window is closed; does nothing until the console's window opens. */
let onAllClosed = () => {}
const backgroundMode = {
  isOn: () => readChoices(folder).staysInTray ?? process.platform === 'win32',
  set: (isOn: boolean) => changeChoices(folder, { staysInTray: isOn }),
}
const loginItem = createLoginItem(app, process.platform, appImage ?? process.execPath, process.env)
const windowState: ConsoleWindowDeps['windowState'] = {
  last: () => readChoices(folder).window,
  store: (state) => attempt(() => changeChoices(folder, { window: state })),
}

/**
 * The desktop program: a single instance with the gateway in this process, its console in a window, and a clean stop
 * that drains.
 */
async function main(): Promise<void> {
  if (!app.requestSingleInstanceLock()) return app.quit()
  app.enableSandbox()
  // The installer's shortcuts have this id; Windows shows notifications only for a program with the same id.
  if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
  app.setAsDefaultProtocolClient(LINK_SCHEME)
  app.on('second-instance', (_, args: readonly string[] = []) => {
    const page = pageInArguments(args)
    // A start at login has no effect if the program is running.
    if (page !== undefined || !args.includes(HIDDEN)) show(page)
  })
  app.on('open-url', (event, url) => {
    event.preventDefault()
    show(pageOfLink(url))
  })
  app.on('activate', () => show())
  watchLastWindow(() => onAllClosed())
  await app.whenReady()
  const startup = createStartupWindow(systemLocale())
  locale = startup.locale
  show = (page) => {
    early.note(page)
    startup.focus()
  }
  const started = await startOrMend({ folder, environment: process.env, startup, system: systemOf() })
  if ('exitCode' in started) return app.exit(started.exitCode)
  // A development build leaves autostart to the installed program.
  if (app.isPackaged) attempt(() => loginItem.follow())
  await open(started, isHidden() && started.gateway.setupLink === null)
  startup.close()
}

/**
 * Shows the menu and tray icon of a running gateway, and its window, unless the start is `hidden` and no launch, link
 * or click has requested the window.
 */
async function open(host: Host, hidden: boolean): Promise<void> {
  const { gateway } = host
  const quitting = stopBeforeQuitting(gateway)
  const draw = () => {
    showMenu(currentLocale)
    tray.show()
  }
  let currentLocale = locale()
  locale = () => currentLocale
  const translate: Translate = (key, values) => speak(currentLocale)(key, values)
  const { url: address } = gateway
  const lockedOut = lockedOutOf(gateway, translate).show
  const notices = createNoticeChoice(folder, attempt, draw)
  const acts = { checkUpdates: () => updates.open(), lockedOut, startAgain }
  const showMenu = createNativeMenu(host, { folder, logs }, { notices, ...acts })
  const window = consoleWindowOf(host, {
    openUpdates: () => updates.open(),
    openLockedOut: lockedOut,
    translate,
    onLanguage(tag) {
      currentLocale = localeOf(tag)
      draw()
    },
  })
  show = (page) => {
    if (quitting.isStopping()) return startAgain()
    onAllClosed = () => stayOrQuit(quitting, translate)
    void window.show(page)
  }
  const updates = createUpdateController({
    host,
    folder,
    translate,
    locale: () => locale(),
    appImage,
    startAgain,
    quitting,
    notify: (notice, onClick) => notices.shown().includes('updates') && showNotification(notice, onClick),
    attempt,
    onChange: () => tray.show(),
    log,
  })
  const tray = createTray({
    shell: gateway.shell,
    address,
    translate,
    loginItem: { ...loginItem, set: (isOn) => attempt(() => loginItem.set(isOn), 'tray.loginFailed') },
    stays: { ...backgroundMode, set: (isOn) => attempt(() => backgroundMode.set(isOn)) },
    notices,
    updates,
    open: () => show(),
    copyAddress: () => void copyText(address, translate),
    backUp: () => void backUp(gateway, translate),
    lockedOut,
    share: (isOn) => share(gateway, isOn),
  })
  powerMonitor.on('resume', () => gateway.shell.woke())
  showMenu(currentLocale)
  updates.begin()
  warnAtStart(window.movedPrograms(), translate)
  const page = early.page() ?? pageInArguments(process.argv)
  if (hidden && page === undefined && !early.isThere()) return
  const shown = window.show(page)
  // The window may be closed while its page loads.
  onAllClosed = () => stayOrQuit(quitting, translate)
  await shown
}

const consoleWindowOf = (
  { gateway, config }: Host,
  speaking: Pick<ConsoleWindowDeps, 'openUpdates' | 'openLockedOut' | 'translate' | 'onLanguage'>,
) =>
  createConsoleWindow({
    ...speaking,
    gateway,
    dataFolder: config.DATA_DIR,
    environment: process.env,
    windowState,
    mend: (opened, at) => mendCrashes(opened, { address: at, locale, monotonic, warn: log.warn }),
  })

/**
 * Warns if the sandbox is off, and if programs are set up for a former address of the gateway: `moved` is their number.
 */
function warnAtStart(moved: number, translate: Translate): void {
  warnNoSandbox(translate)
  if (moved === 0) return
  const notice = { title: translate('tray.moved'), body: translate('tray.movedWhere', { n: moved }) }
  showNotification(notice, () => show('/connect/client'))
}

/**
 * Warns once, and logs each time, that Chromium's sandbox is off: the launcher of an AppImage turns it off if the
 * system does not allow user namespaces.
 */
function warnNoSandbox(translate: Translate): void {
  if (!process.argv.includes('--no-sandbox')) return
  log.warn('the sandbox of Chromium is off')
  if (readChoices(folder).isSandboxTold) return
  attempt(() => changeChoices(folder, { isSandboxTold: true }))
  notifyOrShowDialog({ title: translate('sandbox.title'), body: translate('sandbox.text') })
}

const lockedOutOf = ({ shell }: Gateway, translate: Translate) =>
  createLockedOut({
    shell,
    locale: () => locale(),
    copy: (text) => void copyText(text, translate),
    openLogin: () => show('/login'),
    warn: log.warn,
  })

async function backUp(gateway: Pick<Gateway, 'backUp'>, translate: Translate): Promise<void> {
  try {
    const { name } = await gateway.backUp()
    showNotification({ title: translate('tray.backedUp'), body: name }, () => show('/jobs'))
  } catch (error) {
    log.warn('a backup from the tray failed', { error })
    const reason = error instanceof GatewayError ? formatMessage(locale(), error.key, error.params) : ''
    dialog.showErrorBox('Switchyard', translate('tray.backUpFailed', { said: reason }).trim())
  }
}

async function share({ shell }: Pick<Gateway, 'shell'>, isOn: boolean): Promise<void> {
  try {
    await shell.share(isOn, locale())
  } catch (error) {
    if (!(error instanceof GatewayError)) log.warn('sharing could not be switched from the tray', { error })
    show(SHARE_PAGE)
  }
}

/**
 * After the last window is closed, quits or stays in the tray, with a notification the first time. Does nothing on
 * macOS and while quitting.
 */
function stayOrQuit(quitting: Quitting, translate: Translate): void {
  if (process.platform === 'darwin' || quitting.isStopping()) return
  if (!backgroundMode.isOn()) app.quit()
  else if (!readChoices(folder).isTrayKnown) notifyItStays(translate)
}

function notifyItStays(translate: Translate): void {
  attempt(() => changeChoices(folder, { isTrayKnown: true }))
  // Some Linux desktops show no tray icons, which a program cannot detect.
  const where = process.platform === 'linux' ? 'tray.staysSomewhere' : 'tray.staysWhere'
  notifyOrShowDialog({ title: translate('tray.stays'), body: translate(where) })
}

/** Shows a notification, or a dialog if the system does not show notifications. */
function notifyOrShowDialog(notice: NoticeText): void {
  if (showNotification(notice, () => show())) return
  void dialog.showMessageBox({ type: 'info', message: notice.title, detail: notice.body })
}

/** Runs a step that may fail to write; a failure is logged, and shown to the user if `failureKey` is given. */
function attempt(step: () => void, failureKey?: 'tray.loginFailed'): void {
  try {
    step()
  } catch (error) {
    log.warn('a choice could not be stored', { error })
    if (failureKey) dialog.showErrorBox('Switchyard', speak(locale())(failureKey, { said: (error as Error).message }))
  }
}

/** Whether the program starts without a window, as it does when the system starts it at login. */
const isHidden = () =>
  process.argv.includes(HIDDEN) || (process.platform === 'darwin' && app.getLoginItemSettings().wasOpenedAtLogin)

const systemOf = (): System => ({
  logTarget,
  proxy: createSystemProxy((url) => session.defaultSession.resolveProxy(url), systemClock),
  certificates: moreCertificates(process.env.NODE_EXTRA_CA_CERTS),
  onNotice: createDesktopNotices({
    locale: () => locale(),
    monotonic,
    isShown: (kind) => shownNotices(folder).includes(kind),
    show: (notice, page) => showNotification(notice, () => show(page)),
  }),
})

/**
 * Reads the file of NODE_EXTRA_CA_CERTS; empty if there is none, or on failure. Node reads this variable itself, but
 * not in a packaged Electron program.
 */
function moreCertificates(file: string | undefined): string {
  try {
    return file ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    log.warn('the certificates of NODE_EXTRA_CA_CERTS could not be read', { error })
    return ''
  }
}

const systemLocale = () => localeOf(app.getPreferredSystemLanguages()[0] ?? '')

/** Reports the error and exits; charges are in the journal, so none are lost. */
function stopAfterFault(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Switchyard', speak(systemLocale())('fault.text', { said: message }))
  app.exit(FAULT_EXIT)
}

const folder = setDataFolder(app, process.platform, process.env, process.argv)
const logs = join(folder, 'logs')
const logTarget = createLogFile(logs, systemClock)
const log = createLogger('warn', { target: logTarget })
const command = commandIn(process.argv)
// Not awaited: Electron becomes ready only after this module has been evaluated.
if (command) void runCommandLine(command, folder, process.env, (code) => app.exit(code))
else {
  watchFaults({ log, end: stopAfterFault })
  main().catch((error: unknown) => {
    log.error('the desktop could not start', { error })
    stopAfterFault(error)
  })
}
