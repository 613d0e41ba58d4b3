import { app, BrowserWindow } from 'electron'

/**
 * Calls `onNone` each time the last window with a page is closed. Electron's `window-all-closed` also waits for the
 * hidden window that watches for the session's end (main/quit.ts); that event needs a listener nevertheless, or
 * Electron would quit the program.
 */
export function watchLastWindow(onNone: () => void): void {
  app.on('window-all-closed', () => {})
  app.on('browser-window-created', (_, window) => {
    window.once('closed', () => {
      // The closing window may still be in the list.
      if (BrowserWindow.getAllWindows().every((other) => other === window || other.isDestroyed())) onNone()
    })
  })
}
