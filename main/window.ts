import { join } from 'node:path'
import { app, BrowserWindow, dialog, Menu, nativeTheme, screen, type WebPreferences } from 'electron'
import type { Translate } from './language.ts'
import { contextTemplate } from './menu.ts'
import type { Chats } from './outside.ts'
import { showWhenReady } from './show-when-ready.ts'
import { keepInside } from './window-guards.ts'
import { boundsFor, type WindowState } from './window-state.ts'

/** Options of every window: sandboxed, without Node or file access (docs/reference/security.md#desktop). */
export const hardened = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  spellcheck: false,
} as const satisfies WebPreferences

/** The background before the first paint: the console's, in the system's theme. */
export const groundColour = (): string => (nativeTheme.shouldUseDarkColors ? '#1c2127' : '#f6f7f9')

/**
 * Creates an empty window for the gateway's pages at `origin`, at the `last` position. It has its own persistent
 * session and is confined to that origin; web, mail and chat preset links open in the system's programs
 * (docs/reference/security.md#desktop).
 */
export function createWindow(
  origin: string,
  translate: Translate,
  chats: () => Chats,
  last?: WindowState,
): BrowserWindow {
  const screens = screen.getAllDisplays().map(({ workArea }) => workArea)
  const window = new BrowserWindow({
    ...boundsFor(last, screens),
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
  keepInside({
    contents: webContents,
    origin,
    chats,
    lead: (address) => void load(webContents, address),
    confirm: (address) => confirmsOpening(window, translate, address),
  })
  allowOnlyCopying(webContents)
  webContents.on('context-menu', (_, { isEditable, selectionText }) => {
    const template = contextTemplate(translate, { isEditable, hasSelection: selectionText.trim() !== '' })
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
  // Maximizing would show the window.
  if (last?.isMaximized) window.once('show', () => window.maximize())
  showWhenReady(window)
  return window
}

type Contents = BrowserWindow['webContents']

/** Resolves once the page has loaded or its load has failed: a reload, or closing the window, interrupts a load. */
export const load = (contents: Contents, url: string): Promise<void> => contents.loadURL(url).catch(() => {})

/** Asks whether to open an address for an external page; not while the window is in the background. */
async function confirmsOpening(
  window: BrowserWindow,
  translate: Translate,
  address: string,
): Promise<boolean | undefined> {
  if (!window.isFocused()) return undefined
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    message: translate('frame.asks'),
    detail: shortened(address),
    buttons: [translate('frame.open'), translate('frame.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0
}

/** Shortens a long address to its start and end. */
const shortened = (address: string): string =>
  address.length <= 300 ? address : `${address.slice(0, 200)} … ${address.slice(-80)}`

function allowOnlyCopying({ session }: Contents): void {
  const isCopying = (permission: string) => permission === 'clipboard-sanitized-write'
  session.setPermissionRequestHandler((_, permission, answer) => answer(isCopying(permission)))
  session.setPermissionCheckHandler((_, permission) => isCopying(permission))
}
