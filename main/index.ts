import { app, dialog } from 'electron'
import { FAULT_EXIT, watchFaults } from '../gateway/base/faults.ts'
import { createLogger } from '../gateway/base/logger.ts'
import { createConsoleWindow } from './console-window.ts'
import { localeOf, speak } from './language.ts'
import { createNativeMenu } from './native-menu.ts'
import { stopBeforeQuitting } from './quit.ts'
import { relaunch } from './relaunch.ts'
import { startOrMend } from './start.ts'
import { createStartupWindow } from './startup-window.ts'

/** The desktop program: one instance, the gateway in this process, its console in a window, a clean stop that drains. */
async function main(): Promise<void> {
  if (!app.requestSingleInstanceLock()) return app.quit()
  app.enableSandbox()
  let show = () => {}
  let mayQuit = false
  app.on('second-instance', () => show())
  app.on('activate', () => show())
  app.on('window-all-closed', () => {
    if (mayQuit && process.platform !== 'darwin') app.quit()
  })
  await app.whenReady()
  const startup = createStartupWindow(systemLocale())
  show = startup.focus
  const folder = app.getPath('userData')
  const started = await startOrMend({ folder, environment: process.env, startup })
  if ('exitCode' in started) return app.exit(started.exitCode)
  const quitting = stopBeforeQuitting(started.gateway)
  const showMenu = createNativeMenu(started, folder)
  let locale = startup.locale()
  showMenu(locale)
  const window = createConsoleWindow({
    gateway: started.gateway,
    dataFolder: started.config.DATA_DIR,
    environment: process.env,
    onSessionEnd: quitting.endNow,
    say: (key, values) => speak(locale)(key, values),
    onLanguage(tag) {
      locale = localeOf(tag)
      showMenu(locale)
    },
  })
  show = () => (quitting.isStopping() ? relaunch() : void window.show())
  mayQuit = true
  await window.show()
  startup.close()
}

const systemLocale = () => localeOf(app.getPreferredSystemLanguages()[0] ?? '')

/** Says what happened and ends; what was charged is in the journal, so nothing is lost with it. */
function stopAfterFault(error: unknown): void {
  const said = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Switchyard', speak(systemLocale())('fault.text', { said }))
  app.exit(FAULT_EXIT)
}

const log = createLogger('error')
watchFaults({ log, end: stopAfterFault })
// Not awaited: Electron becomes ready only once this module has been evaluated.
main().catch((error: unknown) => {
  log.error('the desktop could not start', { error })
  stopAfterFault(error)
})
