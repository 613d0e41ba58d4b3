import type { BrowserWindow } from 'electron'
import type { Gateway } from '../gateway/app.ts'
import { openBridge } from './bridge.ts'
import { createConsoleBrowser } from './browser.ts'
import { windowAddress } from './gateway-host.ts'
import type { Say } from './language.ts'
import { openWindow } from './window.ts'

/** The one window on the console. */
export interface ConsoleWindow {
  /** Opens it, or brings it to the front; resolves once its page is there. */
  show(): Promise<void>
}

export type ConsoleWindowDeps = Readonly<{
  gateway: Gateway
  /** Speaks the language of now. */
  say: Say
  /** Told the language tag of the console's page whenever it changes. */
  onLanguage: (tag: string) => void
}>

/** Prepares the window; its first page is the setup, with its code, while that is not done. */
export function createConsoleWindow({ gateway, say, onLanguage }: ConsoleWindowDeps): ConsoleWindow {
  const address = windowAddress(gateway.url)
  const { origin } = new URL(address)
  openBridge({ origin, ticket: gateway.ticket, ...createConsoleBrowser(gateway), onLanguage })
  let window: Promise<BrowserWindow> | undefined
  const open = async () => {
    const path = gateway.setupLink?.slice(gateway.url.length) ?? '/'
    const opened = await openWindow(address + path, say, () => gateway.inner.settings.get('Chats'))
    opened.once('closed', () => {
      window = undefined
    })
    return opened
  }
  return {
    async show() {
      if (!window) {
        window = open()
        await window
        return
      }
      const shown = await window
      if (shown.isMinimized()) shown.restore()
      shown.show()
      shown.focus()
    },
  }
}
