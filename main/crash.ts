import type { BrowserWindow } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { crashPage } from './crash-page.ts'
import { load } from './window.ts'

/** A page that ends again so soon will go on doing so. */
const SOON_MS = 60_000

type CrashDeps = Readonly<{
  /** The first page of the console. */
  address: string
  locale: () => Locale
  monotonic: () => number
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}>

/**
 * Brings a window back whose page has ended (memory, a fault of the browser): the console is opened again, and the second time
 * within a minute a page says what happened. The gateway goes on meanwhile.
 */
export function mendCrashes(window: BrowserWindow, { address, locale, monotonic, warn }: CrashDeps): void {
  let lastMs = Number.NEGATIVE_INFINITY
  window.webContents.on('render-process-gone', (_, { reason }) => {
    if (reason === 'clean-exit') return
    warn('the page of the window ended', { reason })
    const isAgain = monotonic() - lastMs < SOON_MS
    lastMs = monotonic()
    const page = `data:text/html;charset=utf-8,${encodeURIComponent(crashPage(address, locale()))}`
    // Not within the event: the old page is still being taken away.
    setImmediate(() => {
      if (!window.isDestroyed()) void load(window.webContents, isAgain ? page : address)
    })
  })
}
