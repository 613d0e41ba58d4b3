import { app, BaseWindow, BrowserWindow, powerMonitor } from 'electron'
import type { Gateway } from '../gateway/composition/create-gateway.ts'

/** Whether and how the program is ending. */
export interface Quitting {
  /** Whether quitting has begun. */
  isStopping(): boolean
  /** Ends as quitting does, with a step in the place of the very end; the step sees to it that the program quits. */
  endWith(step: () => void): void
}

/**
 * Quitting waits until every stream has ended or been settled and everything is written; the windows go at once. A new
 * launch meanwhile starts the program again when that is done. The end of the person's session is not held up, with a window or
 * without: streams are cut short and charged for what they delivered.
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
    // First, so that the stop that quitting begins does not wait.
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
 * Calls `end` when the person logs off from Windows or shuts it down. Only windows are told of that, so one without a page, which
 * nobody sees, hears it also while the program is in the tray. Elsewhere this does nothing: `powerMonitor` tells of the end there.
 */
function watchSessionEnd(platform: NodeJS.Platform, end: () => void): void {
  if (platform !== 'win32') return
  new BaseWindow({ show: false, skipTaskbar: true, title: 'Switchyard' }).once('session-end', end)
}
