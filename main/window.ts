import { join } from 'node:path'
import { app, BrowserWindow, dialog, Menu, nativeTheme, screen, type WebPreferences } from 'electron'
import type { Translate } from './language.ts'
import { contextTemplate } from './menu.ts'
import type { Chats } from './outside.ts'
import { showWhenReady } from './show-when-ready.ts'
import { keepInside } from './window-guards.ts'
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
export function createWindow(
  origin: string,
  translate: Translate,
  chats: () => Chats,
  last?: WindowState,
): BrowserWindow {
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
  keepInside({
    contents: webContents,
    origin,
    chats,
    lead: (address) => void load(webContents, address),
    ask: (address) => asksToOpen(window, translate, address),
  })
  allowOnlyCopying(webContents)
  webContents.on('context-menu', (_, { isEditable, selectionText }) => {
    const template = contextTemplate(translate, { isEditable, hasSelection: selectionText.trim() !== '' })
    if (template.length > 0) Menu.buildFromTemplate(template).popup({ window })
  })
  // To maximize a window shows it.
  if (last?.isMaximized) window.once('show', () => window.maximize())
  showWhenReady(window)
  return window
}

type Contents = BrowserWindow['webContents']

/** Resolves once the page is there. A load that a reload overtakes, or the closing of the window, is no fault; the menu's Reload is the way on. */
export const load = (contents: Contents, url: string): Promise<void> => contents.loadURL(url).catch(() => {})

/** Whether the person wants a page of others to have it opened; they are not asked while they work elsewhere. */
async function asksToOpen(window: BrowserWindow, translate: Translate, address: string): Promise<boolean | undefined> {
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

/** Both ends of an address that is too long to be read: its host, and where it leads there. */
const shortened = (address: string): string =>
  address.length <= 300 ? address : `${address.slice(0, 200)} … ${address.slice(-80)}`

function allowOnlyCopying({ session }: Contents): void {
  const isCopying = (permission: string) => permission === 'clipboard-sanitized-write'
  session.setPermissionRequestHandler((_, permission, answer) => answer(isCopying(permission)))
  session.setPermissionCheckHandler((_, permission) => isCopying(permission))
}
