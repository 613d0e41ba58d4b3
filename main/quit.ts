import { app, BrowserWindow } from 'electron'
import type { Gateway } from '../gateway/app.ts'

/**
 * Quitting waits until every stream has ended or been settled and everything is written; the windows go at once. A new
 * launch meanwhile starts the program again when that is done. Answers whether quitting has begun.
 */
export function stopBeforeQuitting(gateway: Gateway): () => boolean {
  let state: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'stopped') return
    event.preventDefault()
    if (state === 'stopping') return
    state = 'stopping'
    for (const window of BrowserWindow.getAllWindows()) window.hide()
    void gateway.stop().finally(() => {
      state = 'stopped'
      app.quit()
    })
  })
  return () => state !== 'running'
}
