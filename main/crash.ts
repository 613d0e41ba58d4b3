import type { BrowserWindow } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { crashPage } from './crash-page.ts'
import { load } from './window.ts'

/** Two crashes within this time count as repeated. */
const SOON_MS = 60_000

type CrashDeps = Readonly<{
  address: string
  locale: () => Locale
  monotonic: () => number
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}>

/**
 * Recovers from crashes of a window's page (out of memory, browser bugs): reloads the console, or after the second
 * crash within a minute shows an explanation. The gateway keeps running.
 */
export function mendCrashes(window: BrowserWindow, { address, locale, monotonic, warn }: CrashDeps): void {
  let lastMs = Number.NEGATIVE_INFINITY
  window.webContents.on('render-process-gone', (_, { reason }) => {
    if (reason === 'clean-exit') return
    warn('the page of the window ended', { reason })
    const isAgain = monotonic() - lastMs < SOON_MS
    lastMs = monotonic()
    const page = `data:text/html;charset=utf-8,${encodeURIComponent(crashPage(address, locale()))}`
    // Deferred, because the old page is still being destroyed during the event.
    setImmediate(() => {
      if (!window.isDestroyed()) void load(window.webContents, isAgain ? page : address)
    })
  })
}
