import { app, BaseWindow, BrowserWindow, powerMonitor } from 'electron'
import type { Gateway } from '../gateway/composition/create-gateway.ts'

export interface Quitting {
  isStopping(): boolean
  /** Quits with a final step that itself makes the program exit. */
  endWith(step: () => void): void
}

/**
 * Quitting waits until every stream has ended or been settled and everything is written; windows are hidden at once. A
 * new launch meanwhile restarts the program afterwards. The end of the user's session is not delayed, with or without a
 * window: streams are cut off and charged for what they delivered.
 */
export function stopBeforeQuitting(
  gateway: Pick<Gateway, 'stop' | 'stopNow'>,
  platform: NodeJS.Platform = process.platform,
): Quitting {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  let end = () => app.quit()
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    for (const window of BrowserWindow.getAllWindows()) if (!window.isDestroyed()) window.hide()
    void gateway.stop().finally(() => {
      state = 'stopped'
      end()
    })
  })
  const endNow = () => {
    // First, so that the stop started by quitting does not wait.
    void gateway.stopNow()
    app.quit()
  }
  powerMonitor.on('shutdown', endNow)
  watchSessionEnd(platform, endNow)
  const endWith = (step: () => void) => {
    end = step
    app.quit()
  }
  return { isStopping: () => state !== 'running', endWith }
}

/**
 * Calls `end` when the user logs off from Windows or shuts it down. Only windows receive that event, so a hidden
 * window listens while the program is in the tray. Does nothing on other systems, where `powerMonitor` reports it.
 */
function watchSessionEnd(platform: NodeJS.Platform, end: () => void): void {
  if (platform !== 'win32') return
  new BaseWindow({ show: false, skipTaskbar: true, title: 'Switchyard' }).once('session-end', end)
}
