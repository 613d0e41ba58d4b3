import { type BrowserWindow, shell } from 'electron'
import { systemClock } from '../gateway/base/clock.ts'
import type { Gateway } from '../gateway/composition/create-gateway.ts'
import type { Environment } from '../gateway/config.ts'
import { thisMachine } from '../gateway/connect/config-location.ts'
import { createConnectService } from '../gateway/connect/connect-service.ts'
import type { DesktopHandover } from '../shared/desktop.ts'
import { openBridge } from './bridge.ts'
import type { Translate } from './language.ts'
import { createWindow, load } from './window.ts'
import type { WindowState } from './window-state.ts'

interface ConsoleWindow {
  /** Opens the window or brings it to the front, at a page if given; resolves once the page has loaded. */
  show(page?: string): Promise<void>
  /** Number of the user's programs set up for a former address of the gateway. */
  movedPrograms(): number
}

export type ConsoleWindowDeps = Readonly<{
  gateway: Gateway
  dataFolder: string
  /** The environment that locates other programs' folders. */
  environment: Environment
  translate: Translate
  onLanguage: (tag: string) => void
  openUpdates: () => void
  openLockedOut: () => void
  windowState: Readonly<{ last: () => WindowState | undefined; store: (state: WindowState) => void }>
  /** Attaches crash handling to a new window, whose first address is `address`. */
  mend: (window: BrowserWindow, address: string) => void
}>

/** Prepares the window; until the setup is completed, its first page is the setup page, with its code. */
export function createConsoleWindow(deps: ConsoleWindowDeps): ConsoleWindow {
  const { gateway, dataFolder, environment, translate, onLanguage, openUpdates, openLockedOut, windowState, mend } =
    deps
  const { url: address } = gateway
  const { origin } = new URL(address)
  const machine = thisMachine(environment)
  const connect = createConnectService({ address, dataFolder, clock: systemClock, machine })
  const own = { openUpdates, openLockedOut, connect, onLanguage }
  openBridge({ origin, ticket: gateway.ticket, ...createConsoleBrowser(gateway), ...own })
  let window: BrowserWindow | undefined
  const open = (page: string) => {
    const opened = createWindow(origin, translate, () => gateway.inner.settings.get('Chats'), windowState.last())
    // Registered before the page loads: the window may be closed meanwhile, and must not be used afterwards.
    opened.once('closed', () => {
      window = undefined
    })
    opened.on('close', () => windowState.store({ ...opened.getNormalBounds(), isMaximized: opened.isMaximized() }))
    mend(opened, address)
    window = opened
    const path = gateway.setupLink?.slice(gateway.url.length) ?? page
    return load(opened.webContents, address + path)
  }
  return {
    movedPrograms: () =>
      Object.values(connect.status()).filter((status) => !('problem' in status) && status.isMoved).length,
    async show(page) {
      if (!window) return open(page ?? '/')
      if (window.isMinimized()) window.restore()
      window.show()
      window.focus()
      if (page !== undefined && gateway.setupLink === null) await load(window.webContents, address + page)
    },
  }
}

/** Opens the console's own pages in the system's browser; never an address requested by a page. */
interface ConsoleBrowser {
  /** Opens the login for the window, which exchanges the result for a session; null before the setup. */
  handover(): DesktopHandover | null
  openPersonal(): void
}

/**
 * Uses the gateway's public address, because OAuth providers redirect there
 * (docs/reference/accounts.md#hand-over-to-the-desktop). The verifier stays in this process and the window.
 */
function createConsoleBrowser(gateway: Gateway): ConsoleBrowser {
  const open = (path: string) => {
    const address = gateway.inner.settings.serverAddress()
    // A system without a browser reports that itself.
    shell.openExternal(address + path).catch(() => {})
  }
  return {
    handover() {
      if (gateway.setupLink !== null) return null
      const started = gateway.handover()
      open(`/login?${new URLSearchParams({ next: `/handover?id=${started.id}` })}`)
      return started
    },
    openPersonal: () => open('/personal'),
  }
}
