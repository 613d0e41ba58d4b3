import { app, BrowserWindow, powerMonitor } from 'electron'
import type { Gateway } from '../gateway/app.ts'

/** Whether and how the program is ending. */
export interface Quitting {
  /** Whether quitting has begun. */
  isStopping(): boolean
  /** Ends with the session of the person, which is not held up: streams are cut short and charged for what they delivered. */
  endNow(): void
  /** Ends as quitting does, with a step in the place of the very end; the step sees to it that the program quits. */
  endWith(step: () => void): void
}

/**
 * Quitting waits until every stream has ended or been settled and everything is written; the windows go at once. A new
 * launch meanwhile starts the program again when that is done. A system that shuts down is waited for by nobody.
 */
export function stopBeforeQuitting(gateway: Pick<Gateway, 'stop' | 'stopNow'>): Quitting {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  let end = () => app.quit()
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    for (const window of BrowserWindow.getAllWindows()) window.hide()
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
  const endWith = (step: () => void) => {
    end = step
    app.quit()
  }
  return { isStopping: () => state !== 'running', endNow, endWith }
}
