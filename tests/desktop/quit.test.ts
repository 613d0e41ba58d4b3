import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { watchLastWindow } from '../../main/last-window.ts'
import { stopBeforeQuitting } from '../../main/quit.ts'
import { electron } from '../support/electron.ts'

/** A window as in Electron: windows with a page are listed until shortly after they are closed. */
class Window extends EventEmitter {
  isGone = false
  readonly isDestroyed = () => this.isGone
  readonly hide = vi.fn()
  readonly options: object
  constructor(options: object = {}) {
    super()
    this.options = options
    hidden.push(this)
  }
}
class PageWindow extends Window {
  static getAllWindows = () => listed
  constructor() {
    super()
    listed.push(this)
    app.emit('browser-window-created', {}, this)
  }
  leave(): void {
    this.isGone = true
    this.emit('closed')
    listed.splice(listed.indexOf(this), 1)
  }
}
const listed: PageWindow[] = []
const hidden: Window[] = []
const app = Object.assign(new EventEmitter(), {
  quit() {
    app.emit('before-quit', { preventDefault() {} })
  },
})
const powerMonitor = new EventEmitter()
Object.assign(electron, { app, powerMonitor, BrowserWindow: PageWindow, BaseWindow: Window })
beforeEach(() => {
  app.removeAllListeners()
  powerMonitor.removeAllListeners()
  listed.splice(0)
  hidden.splice(0)
})

/** Records the calls to a gateway, in order. */
function aGateway() {
  const asked: string[] = []
  const record = (name: string) => async () => void asked.push(name)
  return { asked, stop: record('stop'), stopNow: record('stopNow') }
}

it('ends quickly with a session of Windows, though no window is visible', () => {
  const gateway = aGateway()
  stopBeforeQuitting(gateway, 'win32')
  expect(hidden.map(({ options }) => options)).toEqual([{ show: false, skipTaskbar: true, title: 'Switchyard' }])
  hidden[0]?.emit('session-end')
  expect(gateway.asked).toEqual(['stopNow', 'stop'])
})

it.each(['linux', 'darwin'] as const)('detects the end of a session of %s without a window', (platform) => {
  const gateway = aGateway()
  stopBeforeQuitting(gateway, platform)
  expect(hidden).toEqual([])
  powerMonitor.emit('shutdown')
  expect(gateway.asked).toEqual(['stopNow', 'stop'])
})

it('knows when its last window with a page is closed, regardless of other windows', () => {
  const onNone = vi.fn()
  watchLastWindow(onNone)
  // Without a listener Electron quits automatically.
  expect(app.listenerCount('window-all-closed')).toBe(1)
  stopBeforeQuitting(aGateway(), 'win32')
  const [first, second] = [new PageWindow(), new PageWindow()]
  first.leave()
  expect(onNone).not.toHaveBeenCalled()
  second.leave()
  expect(onNone).toHaveBeenCalledOnce()
  new PageWindow().leave()
  expect(onNone).toHaveBeenCalledTimes(2)
})

it('hides its windows while it stops, but for one that is being closed', () => {
  stopBeforeQuitting(aGateway(), 'linux')
  watchLastWindow(() => app.quit())
  const closing = new PageWindow()
  closing.leave()
  expect(closing.hide).not.toHaveBeenCalled()
  app.removeAllListeners()
  stopBeforeQuitting(aGateway(), 'linux')
  const open = new PageWindow()
  app.quit()
  expect(open.hide).toHaveBeenCalledOnce()
})
