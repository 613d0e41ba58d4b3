import { app, type BrowserWindow, dialog } from 'electron'
import type { Gateway } from '../gateway/app.ts'
import { CannotStart } from '../gateway/store/database.ts'
import { startHost } from './gateway-host.ts'
import { openWindow } from './window.ts'

/** The desktop program: one instance, the gateway in this process, its console in a window, a clean stop that drains. */
async function main(): Promise<void> {
  if (!app.requestSingleInstanceLock()) return app.quit()
  app.enableSandbox()
  await app.whenReady()
  const gateway = await startHost(app.getPath('userData'))
  let window: BrowserWindow | undefined = await openWindow(gateway.setupLink ?? gateway.url)
  window.on('closed', () => {
    window = undefined
  })
  app.on('second-instance', () => {
    window?.restore()
    window?.focus()
  })
  app.on('activate', async () => {
    window ??= await openWindow(gateway.url)
  })
  app.on('window-all-closed', () => app.quit())
  stopBeforeQuitting(gateway)
}

/** Quitting waits until every stream has ended or been settled and everything is written. */
function stopBeforeQuitting(gateway: Gateway): void {
  let stopped = false
  app.on('before-quit', (event) => {
    if (stopped) return
    event.preventDefault()
    void gateway.stop().then(() => {
      stopped = true
      app.quit()
    })
  })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof CannotStart)) throw error
  await app.whenReady()
  dialog.showErrorBox('Switchyard', error.message)
  app.exit(error.exitCode)
}
