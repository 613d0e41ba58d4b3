import { app, BrowserWindow } from 'electron'

/**
 * Calls `onNone` each time the last window with a page is closed. What Electron tells of counts the window that hears of the end
 * of a session as well (session-end.ts); it is listened to all the same, or the program would quit by itself.
 */
export function watchLastWindow(onNone: () => void): void {
  app.on('window-all-closed', () => {})
  app.on('browser-window-created', (_, window) => {
    window.once('closed', () => {
      // One that is being closed may still be in the list.
      if (BrowserWindow.getAllWindows().every((other) => other === window || other.isDestroyed())) onNone()
    })
  })
}
