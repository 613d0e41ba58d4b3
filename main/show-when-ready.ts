import type { BrowserWindow } from 'electron'

/** Without a graphics card, and on some displays, the first picture of a hidden window is never told of. */
const MAX_MS = 4000

/**
 * Shows a new window once, as soon as there is something to see: the first picture of its page, the page itself, or that it
 * failed; after four seconds whatever has come of it. One that is closed before then is left alone.
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
