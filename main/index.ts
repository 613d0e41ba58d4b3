import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, session } from 'electron'
import { systemClock } from '../gateway/base/clock.ts'
import { FAULT_EXIT, watchFaults } from '../gateway/base/faults.ts'
import { createLogFile } from '../gateway/base/log-file.ts'
import { createLogger } from '../gateway/base/logger.ts'
import { createConsoleWindow } from './console-window.ts'
import { placeData } from './data-folder.ts'
import type { System } from './gateway-host.ts'
import { localeOf, speak } from './language.ts'
import { createNativeMenu } from './native-menu.ts'
import { stopBeforeQuitting } from './quit.ts'
import { relaunch } from './relaunch.ts'
import { startOrMend } from './start.ts'
import { createStartupWindow } from './startup-window.ts'
import { createSystemProxy } from './system-proxy.ts'

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
  const started = await startOrMend({ folder, environment: process.env, startup, system: systemOf() })
  if ('exitCode' in started) return app.exit(started.exitCode)
  const quitting = stopBeforeQuitting(started.gateway)
  const showMenu = createNativeMenu(started, { folder, logs })
  let locale = startup.locale()
  showMenu(locale)
  const window = createConsoleWindow({
    gateway: started.gateway,
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

const systemOf = (): System => ({
  logTarget,
  proxy: createSystemProxy((url) => session.defaultSession.resolveProxy(url), systemClock),
  certificates: moreCertificates(process.env.NODE_EXTRA_CA_CERTS),
})

/** Node reads this variable by itself, but not in a program that is packed as this one. */
function moreCertificates(file: string | undefined): string {
  try {
    return file ? readFileSync(file, 'utf8') : ''
  } catch (error) {
    log.warn('the certificates of NODE_EXTRA_CA_CERTS could not be read', { error })
    return ''
  }
}

const systemLocale = () => localeOf(app.getPreferredSystemLanguages()[0] ?? '')

/** Says what happened and ends; what was charged is in the journal, so nothing is lost with it. */
function stopAfterFault(error: unknown): void {
  const said = error instanceof Error ? error.message : String(error)
  dialog.showErrorBox('Switchyard', speak(systemLocale())('fault.text', { said }))
  app.exit(FAULT_EXIT)
}

const folder = placeData(app, process.platform, process.env)
const logs = join(folder, 'logs')
const logTarget = createLogFile(logs, systemClock)
const log = createLogger('warn', { target: logTarget })
watchFaults({ log, end: stopAfterFault })
// Not awaited: Electron becomes ready only once this module has been evaluated.
main().catch((error: unknown) => {
  log.error('the desktop could not start', { error })
  stopAfterFault(error)
})
