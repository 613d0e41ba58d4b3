import { type BrowserWindow, shell } from 'electron'
import { systemClock } from '../gateway/base/clock.ts'
import type { Gateway } from '../gateway/composition/create-gateway.ts'
import type { Environment } from '../gateway/config.ts'
import { createConnectDesk } from '../gateway/connect/desk.ts'
import { thisMachine } from '../gateway/connect/place.ts'
import type { DesktopHandover } from '../shared/desktop.ts'
import { openBridge } from './bridge.ts'
import type { Translate } from './language.ts'
import { createWindow, load } from './window.ts'
import type { WindowState } from './window-state.ts'

/** The one window on the console. */
interface ConsoleWindow {
  /** Opens it, or brings it to the front, at a page where one is named; resolves once its page is there. */
  show(page?: string): Promise<void>
  /** How many programs of the person were set up for an address that the gateway has left. */
  movedPrograms(): number
}

export type ConsoleWindowDeps = Readonly<{
  gateway: Gateway
  /** Where the gateway keeps its data. */
  dataFolder: string
  /** In which programs of the person look for their folders. */
  environment: Environment
  /** Speaks the language of now. */
  translate: Translate
  /** Told the language tag of the console's page whenever it changes. */
  onLanguage: (tag: string) => void
  openUpdates: () => void
  openLockedOut: () => void
  /** Where the last window was. */
  place: Readonly<{ last: () => WindowState | undefined; keep: (state: WindowState) => void }>
  /** Looks after the page of a new window, whose first address is `address`. */
  mend: (window: BrowserWindow, address: string) => void
}>

/** Prepares the window; its first page is the setup, with its code, while that is not done. */
export function createConsoleWindow(deps: ConsoleWindowDeps): ConsoleWindow {
  const { gateway, dataFolder, environment, translate, onLanguage, openUpdates, openLockedOut, place, mend } = deps
  const { url: address } = gateway
  const { origin } = new URL(address)
  const machine = thisMachine(environment)
  const connect = createConnectDesk({ address, dataFolder, clock: systemClock, machine })
  const own = { openUpdates, openLockedOut, connect, onLanguage }
  openBridge({ origin, ticket: gateway.ticket, ...createConsoleBrowser(gateway), ...own })
  let window: BrowserWindow | undefined
  const open = (page: string) => {
    const opened = createWindow(origin, translate, () => gateway.inner.settings.get('Chats'), place.last())
    // Before its page is asked for: it may be closed while that loads, and is not to be touched from then on.
    opened.once('closed', () => {
      window = undefined
    })
    opened.on('close', () => place.keep({ ...opened.getNormalBounds(), isMaximized: opened.isMaximized() }))
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

/** The console's pages that the system's browser is opened at: its own, never one that a page has asked for. */
interface ConsoleBrowser {
  /** Opens the login for the window, which takes its session with the answer; null before the setup. */
  handover(): DesktopHandover | null
  openPersonal(): void
}

/**
 * Opens it where people know the gateway, since providers lead back there alone
 * (docs/reference/accounts.md#hand-over-to-the-desktop). The verifier stays here and in the window.
 */
function createConsoleBrowser(gateway: Gateway): ConsoleBrowser {
  const open = (path: string) => {
    const address = gateway.inner.settings.serverAddress()
    // A system without a browser says so itself.
    shell.openExternal(address + path).catch(() => {})
  }
  return {
    handover() {
      if (gateway.setupLink !== null) return null
      const begun = gateway.handover()
      open(`/login?${new URLSearchParams({ next: `/handover?id=${begun.id}` })}`)
      return begun
    },
    openPersonal: () => open('/personal'),
  }
}
