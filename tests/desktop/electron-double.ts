/**
 * Stands in for the `electron` module where its binary is not available: enough of it to run the built main process
 * under Node, with each window a page of a real Chromium. What only real Electron can show (fuses, sandbox, visible
 * menus) is tested by electron.spec.ts in this folder. The test controls it over Node's IPC: see `Order` and `Report`.
 */

import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BrowserContext, chromium, type Frame, type Page, type Request, type Route } from '@playwright/test'
import type { MenuItemConstructorOptions, WebPreferences } from 'electron'
import { chromiumLaunch } from '../e2e/chromium.ts'

/** User actions outside the page that a test can trigger. */
export type Order = Readonly<
  | { click: string }
  | { launchAgain: true; words?: readonly string[] }
  | { shutdown: true }
  | { resume: true }
  | { crash: string }
  | { press: string }
>
/** Deviations of the system from normal behaviour, separated by commas. */
export type Oddity =
  | 'no first picture'
  | 'closed while it loads'
  | 'no clipboard'
  | 'no file manager'
  | 'second instance'
  | 'no tray'
  | 'no notifications'
/** Effects of the program outside its pages. */
export type Report = Readonly<
  | { menu: readonly string[] }
  | { opened: string }
  | { copied: string }
  | { window: WebPreferences }
  | { box: string }
  | { about: true }
  | { relaunch: true }
  | { shown: true }
  | { tip: string }
  | { tray: readonly string[] }
  | { told: Readonly<{ title: string; body: string }> }
  | { asked: string }
>

const { DOUBLE_DATA = '', DOUBLE_APP = '', DOUBLE_LANGUAGE = 'en-GB', DOUBLE_PORT = '', DOUBLE_ODD = '' } = process.env
/** The page that a test shows in every frame of another origin. */
const { DOUBLE_VERSION = '0.1.0', DOUBLE_FRAMED } = process.env
/** The debugging port is set by this flag, as in Electron, or by a test. */
const PORT_FLAG = '--remote-debugging-port='
const flaggedPort = process.argv.find((flag) => flag.startsWith(PORT_FLAG))?.slice(PORT_FLAG.length)
const isOdd = (oddity: Oddity) => DOUBLE_ODD.split(',').includes(oddity)
const launch = chromiumLaunch()
const browser = await chromium.launch({
  ...launch,
  args: [...launch.args, PORT_FLAG + (flaggedPort ?? DOUBLE_PORT)],
})
const report = (said: Report) => void process.send?.(said)
/** The folder of a package's own files, which only Electron sets. */
Object.assign(process, { resourcesPath: DOUBLE_DATA })

class App extends EventEmitter {
  readonly isPackaged = true
  requestSingleInstanceLock = () => !isOdd('second instance')
  releaseSingleInstanceLock = () => {}
  enableSandbox = () => {}
  setAppUserModelId = () => {}
  whenReady = () => Promise.resolve()
  getPath = () => DOUBLE_DATA
  setPath = () => {}
  setAsDefaultProtocolClient = () => true
  getLoginItemSettings = () => ({ openAtLogin: false, wasOpenedAtLogin: false })
  setLoginItemSettings = () => {}
  getAppPath = () => DOUBLE_APP
  getVersion = () => DOUBLE_VERSION
  getPreferredSystemLanguages = () => [DOUBLE_LANGUAGE]
  setAboutPanelOptions = () => {}
  showAboutPanel = () => report({ about: true })
  relaunch = () => report({ relaunch: true })
  /**
   * As in Electron: preventing `before-quit` keeps the program alive; otherwise each window is closed, with its event,
   * before the program ends.
   */
  quit(): void {
    let isPrevented = false
    this.emit('before-quit', { preventDefault: () => (isPrevented = true) })
    if (!isPrevented) void closeAll().then(() => this.exit(0))
  }
  async exit(code: number): Promise<void> {
    browser.off('disconnected', quitAsAsked)
    this.emit('quit')
    // In Electron, pages that are still loading end silently with the process.
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', () => {})
    await browser.close()
    process.exit(code)
  }
}
export const app = new App()
/** Electron responds to `Browser.close` on its debugging port by quitting, as its own menu does. */
const quitAsAsked = () => app.quit()
browser.once('disconnected', quitAsAsked)

type Listener = (event: object, ...given: unknown[]) => unknown
const listeners = new Map<string, Listener>()
const listen = (channel: string, listener: Listener) => void listeners.set(channel, listener)
export const ipcMain = { handle: listen, on: listen }

class TrayDouble extends EventEmitter {
  setToolTip = (tip: string) => report({ tip })
  setContextMenu(menu: Item[]) {
    trayItems = menu.flatMap((item) => [item, ...entriesOf(item)])
    report({ tray: trayItems.flatMap(({ label, checked }) => (label ? [checked ? `✓ ${label}` : label] : [])) })
    choose()
  }
  constructor() {
    super()
    if (isOdd('no tray')) throw new Error('no tray')
  }
}

export { TrayDouble as Tray }
export const nativeImage = { createFromPath: (file: string) => file }
const shownNotices = new Map<string, EventEmitter>()
class NotificationDouble extends EventEmitter {
  static isSupported = () => !isOdd('no notifications')
  readonly #told: { title: string; body: string }
  constructor(told: { title: string; body: string }) {
    super()
    this.#told = told
  }
  show(): void {
    report({ told: this.#told })
    shownNotices.set(this.#told.title, this)
  }
}

export { NotificationDouble as Notification }
export const screen = { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } }] }

/** Created on Windows only. */
export class BaseWindow extends EventEmitter {}

export const powerMonitor = new EventEmitter()
export const session = { defaultSession: { resolveProxy: async () => 'DIRECT' } }
export const nativeTheme = { shouldUseDarkColors: false }
export const shell = {
  openExternal: async (opened: string) => report({ opened }),
  async openPath(opened: string): Promise<string> {
    report({ opened })
    return isOdd('no file manager') ? 'Failed to open path' : ''
  },
}
export const clipboard = {
  async writeText(copied: string): Promise<void> {
    if (isOdd('no clipboard')) throw new Error('no clipboard')
    report({ copied })
  },
}
export const dialog = {
  showErrorBox: (_: string, box: string) => report({ box }),
  /** Simulates a user who takes the first button. */
  async showMessageBox(...[box, own]: [BrowserWindow, { detail: string }] | [{ detail: string }, undefined?]) {
    const { detail } = own ?? (box as { detail: string })
    report({ asked: detail })
    return { response: 0 }
  },
}

type Item = MenuItemConstructorOptions
const entriesOf = ({ submenu }: Item): Item[] => (Array.isArray(submenu) ? submenu : [])
let items: Item[] = []
let trayItems: Item[] = []
export const Menu = {
  buildFromTemplate: (template: Item[]) => template,
  setApplicationMenu(menu: Item[]) {
    items = menu.flatMap(entriesOf)
    report({ menu: menu.flatMap(({ label }) => label ?? []) })
    choose()
  },
}

/** The entry to choose; the menu that has it, in that language, may not exist yet. */
let wanted: string | undefined

function choose(): void {
  const item = [...items, ...trayItems].find(({ label }) => label === wanted)
  if (!item) return
  wanted = undefined
  // Our own entries take no arguments.
  const click = item.click as (() => void) | undefined
  click?.()
}

process.on('message', (order: Order) => {
  if ('launchAgain' in order) return void app.emit('second-instance', {}, order.words)
  // A notification, by title.
  if ('press' in order) return void shownNotices.get(order.press)?.emit('click')
  if ('resume' in order) return void powerMonitor.emit('resume')
  if ('crash' in order) {
    for (const { webContents } of windows) webContents.emit('render-process-gone', {}, { reason: order.crash })
    return
  }
  if ('shutdown' in order) return void powerMonitor.emit('shutdown')
  wanted = order.click
  choose()
})

type Opener = (details: { url: string }) => unknown
const windows = new Set<BrowserWindow>()

/** The page of a window, created with the first address. */
class Contents extends EventEmitter {
  page: Page | undefined
  opener: Opener = () => {}
  readonly session = { setPermissionRequestHandler() {}, setPermissionCheckHandler() {} }
  readonly #window: BrowserWindow
  /** A window may get another address before its first is loaded. */
  #opening: Promise<Page> | undefined
  constructor(window: BrowserWindow) {
    super()
    this.#window = window
  }
  get mainFrame() {
    return frameSeen(this.page?.mainFrame())
  }
  setWindowOpenHandler(opener: Opener): void {
    this.opener = opener
  }
  async loadURL(url: string): Promise<void> {
    this.#opening ??= openPage(this.#window, this)
    this.page = await this.#opening
    isOurs.add(url)
    const isLoaded = this.page.goto(url)
    if (isOdd('closed while it loads')) this.#window.close()
    await isLoaded
    if (!isOdd('no first picture')) this.#window.emit('ready-to-show')
    this.emit('did-finish-load')
  }
}

type FrameSeen = Readonly<{ parent: FrameSeen | null; origin: string; framesInSubtree: FrameSeen[] }>

/** A frame and its children as the program sees them. */
function frameSeen(frame: Frame | undefined, parent: FrameSeen | null = null): FrameSeen {
  const seen: FrameSeen = { parent, origin: URL.parse(frame?.url() ?? '')?.origin ?? 'null', framesInSubtree: [] }
  const below = frame?.childFrames().flatMap((child) => frameSeen(child, seen).framesInSubtree) ?? []
  seen.framesInSubtree.push(seen, ...below)
  return seen
}

/** Addresses that the program itself has requested: these cause no `will-navigate`. */
const isOurs = new Set<string>()

export class BrowserWindow extends EventEmitter {
  static getAllWindows = () => [...windows]
  readonly #contents: Contents = new Contents(this)
  readonly options: { width: number; height: number; webPreferences?: WebPreferences }
  constructor(options: BrowserWindow['options']) {
    super()
    this.options = options
    windows.add(this)
    report({ window: options.webPreferences ?? {} })
    this.once('closed', () => {
      windows.delete(this)
      if (windows.size === 0) app.emit('window-all-closed')
    })
    app.emit('browser-window-created', {}, this)
  }
  /** As in Electron, a destroyed window throws on any use. */
  get webContents(): Contents {
    if (this.isDestroyed()) throw new TypeError('Object has been destroyed')
    return this.#contents
  }
  loadURL = (url: string) => this.webContents.loadURL(url)
  show = () => void (this.webContents && report({ shown: true }))
  hide = () => void this.webContents
  focus = () => void this.webContents.page?.bringToFront()
  restore = () => void this.webContents
  isMinimized = () => this.webContents === undefined
  isFocused = () => this.webContents !== undefined
  isMaximized = () => this.webContents === undefined
  maximize = () => void this.webContents
  getNormalBounds = () => ({ x: 10, y: 20, width: this.options.width, height: this.options.height })
  isDestroyed = () => !windows.has(this)
  close = () => void this.webContents.page?.close()
}

const MAX_CLOSE_MS = 3000

async function closeAll(): Promise<void> {
  for (const window of BrowserWindow.getAllWindows()) {
    // The browser sometimes does not report the end of a page that is still loading; Electron ends it with the program.
    await Promise.race([window.webContents.page?.close().catch(() => {}), sleep(MAX_CLOSE_MS)])
    window.emit('closed')
  }
}

async function openPage(window: BrowserWindow, contents: Contents): Promise<Page> {
  const { width, height, webPreferences = {} } = window.options
  const context = await browser.newContext({
    viewport: { width, height },
    locale: DOUBLE_LANGUAGE,
    javaScriptEnabled: webPreferences.javascript !== false,
  })
  const page = await context.newPage()
  if (webPreferences.preload) await preload(context, webPreferences.preload)
  await context.route('**/*', (route) => decide(route, page.mainFrame(), contents))
  page.on('popup', (popup) => void popup.close())
  page.once('close', () => window.emit('close'))
  page.once('close', () => void context.close().then(() => window.emit('closed')))
  return page
}

/**
 * Navigations of the main frame emit `will-navigate`, and new windows call their opener; all else is let through, or
 * replaced by the test's page for frames.
 */
async function decide(route: Route, mainFrame: Frame, contents: Contents): Promise<void> {
  const asked = route.request()
  const url = asked.url()
  if (!asked.isNavigationRequest() || isOurs.has(url)) return route.continue()
  const frame = frameOf(asked)
  if (frame?.page() !== mainFrame.page()) {
    contents.opener({ url })
    return route.abort('aborted')
  }
  if (frame !== mainFrame) return DOUBLE_FRAMED ? showFramed(route, DOUBLE_FRAMED) : route.continue()
  let isPrevented = false
  contents.emit('will-navigate', { url, initiator: contents.mainFrame, preventDefault: () => (isPrevented = true) })
  return isPrevented ? route.abort('aborted') : route.continue()
}

const showFramed = (route: Route, body: string) => route.fulfill({ contentType: 'text/html', body })

/** Undefined for a new window, which has no frame before its first response. */
function frameOf(asked: Request): Frame | undefined {
  try {
    return asked.frame()
  } catch {
    return undefined
  }
}

/** Runs the built preload before the page's own scripts, with the two modules it uses emulated. */
async function preload(context: BrowserContext, file: string): Promise<void> {
  await context.exposeBinding('__tell', ({ frame }, channel: string, given: unknown[]) => {
    const senderFrame = { url: frame.url(), parent: frame.parentFrame() }
    return listeners.get(channel)?.({ senderFrame }, ...given)
  })
  await context.addInitScript(`(() => {
    const tell = (channel, ...given) => window.__tell(channel, given)
    const electron = {
      ipcRenderer: { invoke: tell, send: tell },
      contextBridge: { exposeInMainWorld: (name, api) => { window[name] = api } },
    };
    const process = { platform: 'linux' };
    (function (require) { ${readFileSync(file, 'utf8')} })((name) => ({ electron })[name]);
  })()`)
}
