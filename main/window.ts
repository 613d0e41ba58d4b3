import { join } from 'node:path'
import { app, BrowserWindow, shell } from 'electron'

const OUTSIDE = new Set(['https:', 'mailto:'])

/**
 * The console's window on the gateway's own address: sandboxed, without Node, in its own persistent session, unable to
 * leave that address; web and mail links open in the system's programs (design/reliability-security.md §6).
 */
export async function openWindow(url: string): Promise<BrowserWindow> {
  const window = new BrowserWindow({
    width: 1280,
    height: 800,
    minWidth: 360,
    minHeight: 480,
    show: false,
    webPreferences: {
      preload: join(app.getAppPath(), 'out', 'preload', 'preload.cjs'),
      partition: 'persist:console',
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
    },
  })
  const { webContents } = window
  const stay = (event: { preventDefault(): void }, target: string) => {
    if (URL.parse(target)?.origin === new URL(url).origin) return
    event.preventDefault()
    openOutside(target)
  }
  webContents.on('will-navigate', (event) => stay(event, event.url))
  webContents.on('will-redirect', (event) => stay(event, event.url))
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.setWindowOpenHandler(({ url: target }) => {
    openOutside(target)
    return { action: 'deny' }
  })
  webContents.session.setPermissionRequestHandler((_, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  )
  webContents.session.setPermissionCheckHandler((_, permission) => permission === 'clipboard-sanitized-write')
  window.once('ready-to-show', () => window.show())
  await window.loadURL(url)
  return window
}

function openOutside(target: string): void {
  const url = URL.parse(target)
  if (url && OUTSIDE.has(url.protocol)) void shell.openExternal(url.href)
}
