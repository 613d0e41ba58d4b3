import type { BrowserWindow } from 'electron'

/**
 * Maximum wait in milliseconds: without a graphics card, and on some displays, a hidden window never emits its first
 * paint.
 */
const MAX_MS = 4000

/**
 * Shows a new window once, as soon as there is something to see: the first paint, the loaded page, or its failure; at
 * the latest after four seconds. Does nothing if the window is closed before that.
 */
export function showWhenReady(window: BrowserWindow): void {
  const { webContents } = window
  const show = () => {
    forget()
    window.show()
  }
  const latest = setTimeout(show, MAX_MS)
  const forget = () => {
    clearTimeout(latest)
    window.off('ready-to-show', show).off('closed', forget)
    webContents.off('did-finish-load', show).off('did-fail-load', show)
  }
  window.once('closed', forget).once('ready-to-show', show)
  webContents.once('did-finish-load', show).once('did-fail-load', show)
}
