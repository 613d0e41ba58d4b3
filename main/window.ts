import { join } from 'node:path'
import { app, BrowserWindow, Menu, nativeTheme, screen, shell, type WebPreferences } from 'electron'
import type { Say } from './language.ts'
import { contextTemplate } from './menu.ts'
import { type Chats, isForBrowser, outsideAddress } from './outside.ts'
import { showWhenReady } from './show-when-ready.ts'
import { placeFor, type WindowState } from './window-state.ts'

/** What every window gets: a sandbox, no Node, no view of files (docs/reference/security.md#desktop). */
export const hardened = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  spellcheck: false,
} as const satisfies WebPreferences

/** The colour behind a page that has not been painted yet: that of the console in the system's theme. */
export const groundColour = (): string => (nativeTheme.shouldUseDarkColors ? '#1c2127' : '#f6f7f9')

/**
 * A window for the gateway's own pages at `origin`, empty yet: in its own persistent session, unable to leave that origin; web
 * and mail links and those of the chat presets of now open in the system's programs; where the `last` one was
 * (docs/reference/security.md#desktop). `say` speaks the language of now.
 */
export function createWindow(origin: string, say: Say, chats: () => Chats, last?: WindowState): BrowserWindow {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
  const window = new BrowserWindow({
    ...placeFor(last, screens),
    minWidth: 360,
    minHeight: 480,
    show: false,
    backgroundColor: groundColour(),
    webPreferences: {
      ...hardened,
      preload: join(app.getAppPath(), 'out', 'preload', 'preload.cjs'),
      partition: 'persist:console',
      devTools: !app.isPackaged,
    },
  })
  const { webContents } = window
  keepInside(webContents, origin, chats)
  allowOnlyCopying(webContents)
  webContents.on('context-menu', (_, { isEditable, selectionText }) => {
    const template = contextTemplate(say, { isEditable, hasSelection: selectionText.trim() !== '' })
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
  // To maximize a window shows it.
  if (last?.isMaximized) window.once('show', () => window.maximize())
  showWhenReady(window)
  return window
}

type Contents = BrowserWindow['webContents']

/**
 * A page stays on its origin, whatever it contains; a link of the console to itself opens in the same window. Frames, such as
 * those of chats, go on where the web leads them, and open nothing outside of the window.
 */
function keepInside(contents: Contents, origin: string, chats: () => Chats): void {
  const isInside = (target: string) => URL.parse(target)?.origin === origin
  const stay = (event: { preventDefault(): void }, target: string) => {
    if (isInside(target)) return
    event.preventDefault()
    openOutside(target, chats())
  }
  const stayOnWeb = (event: { preventDefault(): void }, target: string) => {
    if (!isForFrames(target)) event.preventDefault()
  }
  contents.on('will-navigate', (event) => stay(event, event.url))
  contents.on('will-redirect', (event) => (event.isMainFrame ? stay : stayOnWeb)(event, event.url))
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) stayOnWeb(event, event.url)
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    if (isInside(url) && !isForBrowser(url)) void load(contents, url)
    else openOutside(url, chats())
    return { action: 'deny' }
  })
}

/** Pages of the web, and what a page writes into a frame itself: never a file, nor the program of another scheme. */
const isForFrames = (target: string): boolean =>
  ['http:', 'https:', 'about:', 'blob:', 'data:'].includes(URL.parse(target)?.protocol ?? '')

/** Resolves once the page is there. A load that a reload overtakes, or the closing of the window, is no fault; the menu's Reload is the way on. */
export const load = (contents: Contents, url: string): Promise<void> => contents.loadURL(url).catch(() => {})

function allowOnlyCopying({ session }: Contents): void {
  const isCopying = (permission: string) => permission === 'clipboard-sanitized-write'
  session.setPermissionRequestHandler((_, permission, answer) => answer(isCopying(permission)))
  session.setPermissionCheckHandler((_, permission) => isCopying(permission))
}

function openOutside(target: string, chats: Chats): void {
  const address = outsideAddress(target, chats)
  // A system without a program for such links says so itself.
  if (address !== undefined) shell.openExternal(address).catch(() => {})
}
