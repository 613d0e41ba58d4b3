import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { thisMachine } from '../../gateway/connect/config-location.ts'
import { createConnectWriter } from '../../gateway/connect/connect.ts'
import { type ConsoleWindowDeps, createConsoleWindow } from '../../main/console-window.ts'
import { connectClient } from '../../shared/connect/clients.ts'
import { electron } from '../support/electron.ts'

/** A window that, like a real one, throws on any use after it is destroyed. */
class Window extends EventEmitter {
  readonly done: string[] = []
  isGone = false
  readonly webContents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler() {},
    session: { setPermissionRequestHandler() {}, setPermissionCheckHandler() {} },
    loadURL() {
      const page = Promise.withResolvers<void>()
      loading.push(page)
      return page.promise
    },
  })
  constructor() {
    super()
    made.push(this)
  }
  readonly isMinimized = () => this.#does('isMinimized') !== undefined
  readonly show = () => void this.#does('show')
  readonly focus = () => void this.#does('focus')
  #does(name: string): void {
    if (this.isGone) throw new TypeError('Object has been destroyed')
    this.done.push(name)
  }
  readonly getNormalBounds = () => ({ x: 1, y: 2, width: 3, height: 4 })
  readonly isMaximized = () => false
  leave(): void {
    this.emit('close')
    this.isGone = true
    this.emit('closed')
  }
}

const made: Window[] = []
const loading: PromiseWithResolvers<void>[] = []
Object.assign(electron, {
  app: { getAppPath: () => '/app', isPackaged: true },
  BrowserWindow: Window,
  ipcMain: { handle() {}, on() {} },
  nativeTheme: { shouldUseDarkColors: false },
  screen: { getAllDisplays: () => [] },
})

it('opens one window, brings that to the front, and another when it was closed, even while its page was loading', async () => {
  const stored: unknown[] = []
  const gateway = { url: 'http://127.0.0.1:6411', setupLink: null } as ConsoleWindowDeps['gateway']
  const { show } = createConsoleWindow({
    gateway,
    dataFolder: '/nowhere',
    environment: {},
    translate: String,
    onLanguage() {},
    openUpdates: () => undefined,
    openLockedOut: () => undefined,
    windowState: { last: () => undefined, store: (state) => void stored.push(state) },
    mend() {},
  })
  const first = show()
  await show()
  expect(made.map(({ done }) => done)).toEqual([['isMinimized', 'show', 'focus']])
  made[0]?.leave()
  expect(stored).toEqual([{ x: 1, y: 2, width: 3, height: 4, isMaximized: false }])
  loading[0]?.resolve()
  await first
  const second = show()
  loading[1]?.resolve()
  await second
  expect(made).toHaveLength(2)
  made[1]?.leave()
  void show()
  expect(made).toHaveLength(3)
})

it('counts the programs that were set up for an address which the gateway has left (docs/reference/connect.md#another-address)', () => {
  const home = mkdtempSync(join(tmpdir(), 'switchyard-home-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const environment = { CODEX_HOME: join(home, 'codex') }
  const writer = createConnectWriter({ machine: thisMachine(environment), dataFolder: home })
  const codex = connectClient('codex')
  if (!codex) throw new Error('codex is in the table')
  const target = { address: 'http://127.0.0.1:6411', key: 'sk-0123456789abcdef', model: 'gpt-4o' }
  writer.apply(codex, target, writer.plan(codex, target).seal)
  const at = (url: string) =>
    createConsoleWindow({
      gateway: { url, setupLink: null } as ConsoleWindowDeps['gateway'],
      dataFolder: home,
      environment,
      translate: String,
      onLanguage() {},
      openUpdates() {},
      openLockedOut() {},
      windowState: { last: () => undefined, store() {} },
      mend() {},
    })
  expect(at('http://127.0.0.1:6411').movedPrograms()).toBe(0)
  expect(at('http://127.0.0.1:6412').movedPrograms()).toBe(1)
})
