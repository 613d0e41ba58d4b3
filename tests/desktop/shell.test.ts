import { EventEmitter } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { BrowserWindow } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { NoticeReceiver } from '../../gateway/notify/notices.ts'
import { mendCrashes } from '../../main/crash.ts'
import { crashPage } from '../../main/crash-page.ts'
import { pageInArguments, pageOfLink } from '../../main/deep-link.ts'
import { speak } from '../../main/language.ts'
import { autostartEntry, createLoginItem } from '../../main/login-item.ts'
import { createDesktopNotices, createNotifications } from '../../main/notifications.ts'
import { createPendingOpenRequests } from '../../main/pending-open-requests.ts'
import { trayTemplate } from '../../main/tray-menu.ts'
import { boundsFor } from '../../main/window-state.ts'
import { role } from '../../shared/enums.ts'
import { aFolder } from '../process/house.ts'
import { electron } from '../support/electron.ts'

/**
 * A shown notification is referenced by the system, which may release it at any time; `shown` keeps weak references.
 */
const shown: WeakRef<EventEmitter>[] = []
class NotificationDouble extends EventEmitter {
  static isSupported = () => true
  show = () => void shown.push(new WeakRef(this))
}
Object.assign(electron, { Notification: NotificationDouble })
beforeEach(() => void shown.splice(0))

describe('a link of ours (docs/reference/security.md#desktop)', () => {
  it.each([
    ['switchyard://open/log', '/log'],
    ['SWITCHYARD://open/connect/client/', '/connect/client'],
    ['switchyard://open/token?key=1#do', '/token'],
    ['switchyard://', '/'],
    ['switchyard://open/user/reset', '/'],
    ['switchyard://open/../api/user', '/'],
    ['switchyard://open//evil.example', '/'],
    ['switchyard://log', '/'],
    [`switchyard://open/${'x'.repeat(300)}`, undefined],
    ['https://open/log', undefined],
    ['switchyard.exe', undefined],
    ['', undefined],
  ])('%j leads to %j', (text, page) => expect(pageOfLink(text)).toBe(page))

  it('is found among the arguments of the program', () => {
    expect(pageInArguments(['/opt/switchyard', '--hidden', 'switchyard://open/log'])).toBe('/log')
    expect(pageInArguments(['/opt/switchyard', '--flag'])).toBeUndefined()
  })
})

describe('requests before there is a window', () => {
  it('are remembered, with the page that was named last', () => {
    const early = createPendingOpenRequests()
    expect([early.isThere(), early.page()]).toEqual([false, undefined])
    early.note()
    expect([early.isThere(), early.page()]).toEqual([true, undefined])
    early.note('/log')
    early.note()
    expect([early.isThere(), early.page()]).toEqual([true, '/log'])
  })
})

describe('the position of a window', () => {
  const screens = [
    { x: 0, y: 0, width: 1920, height: 1080 },
    { x: 1920, y: 0, width: 1280, height: 720 },
  ]
  const last = { x: 100, y: 50, width: 1000, height: 700, isMaximized: false }

  it.each([
    ['nothing is known', undefined, { width: 1280, height: 800 }],
    ['it was there', last, { x: 100, y: 50, width: 1000, height: 700 }],
    ['it was on another screen', { ...last, x: 2000 }, { x: 2000, y: 50, width: 1000, height: 700 }],
    [
      'it is larger than the screen',
      { ...last, width: 5000, height: 5000 },
      { x: 100, y: 50, width: 1920, height: 1080 },
    ],
    ['its screen is gone', { ...last, x: 4000 }, { width: 1280, height: 800 }],
    ['only a corner is within reach', { ...last, x: -950 }, { width: 1280, height: 800 }],
    ['its title is above the screen', { ...last, y: -30 }, { width: 1280, height: 800 }],
  ])('where %s', (_, state, bounds) => expect(boundsFor(state, screens)).toEqual(bounds))
})

describe('a start at login', () => {
  it('is a file of the desktop on Linux, and the list of the system elsewhere', async () => {
    const home = await aFolder()
    const set = vi.fn()
    const settings = { getLoginItemSettings: () => ({ openAtLogin: true }), setLoginItemSettings: set }
    const linux = createLoginItem(settings, 'linux', '/opt/Switchyard', { XDG_CONFIG_HOME: home })
    const file = join(home, 'autostart', 'switchyard.desktop')
    expect(linux.isOn()).toBe(false)
    linux.set(true)
    expect([linux.isOn(), readFileSync(file, 'utf8')]).toEqual([true, autostartEntry('/opt/Switchyard')])
    linux.set(false)
    expect([linux.isOn(), existsSync(file)]).toEqual([false, false])
    const mac = createLoginItem(settings, 'darwin', '/opt/Switchyard', {})
    mac.set(false)
    expect([mac.isOn(), set.mock.calls]).toEqual([true, [[{ openAtLogin: false, args: ['--hidden'] }]]])
  })

  it('starts the program at its current path, though it was moved, and preserves other fields of the entry', async () => {
    const home = await aFolder()
    const at = (program: string) =>
      createLoginItem(
        { getLoginItemSettings: () => ({ openAtLogin: false }), setLoginItemSettings: vi.fn() },
        'linux',
        program,
        { XDG_CONFIG_HOME: home },
      )
    const file = join(home, 'autostart', 'switchyard.desktop')
    at('/new/A$B.AppImage').follow()
    expect(existsSync(file)).toBe(false)
    at('/old/A.AppImage').set(true)
    writeFileSync(file, `${readFileSync(file, 'utf8').replace(' --hidden', ' --hidden --no-sandbox')}Hidden=true\n`)
    const edited = readFileSync(file, 'utf8')
    at('/old/A.AppImage').follow()
    expect(readFileSync(file, 'utf8')).toBe(edited)
    at('/new/A$B.AppImage').follow()
    expect(readFileSync(file, 'utf8')).toBe(`${autostartEntry('/new/A$B.AppImage')}Hidden=true\n`)
  })

  it('starts exactly the program, for any path', () => {
    expect(autostartEntry('/home/me/My "apps"/a$b`c\\d 100%.AppImage')).toContain(
      'Exec="/home/me/My \\\\"apps\\\\"/a\\\\$b\\\\`c\\\\\\\\d 100%%.AppImage" --hidden\n',
    )
  })
})

describe('the menu of the tray', () => {
  const state = {
    address: 'http://127.0.0.1:6411',
    isPaused: false,
    isShared: false,
    today: { calls: 12, errors: 0, cost: '$0.34' },
    startsAtLogin: false,
    staysInTray: true,
    checksDaily: false,
    notices: ['channels', 'updates'] as const,
  }
  const actions = {
    open: vi.fn(),
    copyAddress: vi.fn(),
    pause: vi.fn(),
    backUp: vi.fn(),
    lockedOut: vi.fn(),
    share: vi.fn(),
    startAtLogin: vi.fn(),
    stayInTray: vi.fn(),
    checkUpdates: vi.fn(),
    checkDaily: vi.fn(),
    showNotices: vi.fn(),
    quit: vi.fn(),
  }
  const labels = (locale: 'en' | 'zh', more: Partial<typeof state> = {}) =>
    trayTemplate(speak(locale), { ...state, ...more }, actions).flatMap(({ label }) => label ?? [])

  it('shows the current activity, in both languages', () => {
    expect(labels('en').slice(0, 2)).toEqual(['Running at 127.0.0.1:6411', 'Today: 12 calls, $0.34'])
    expect(labels('en', { isPaused: true, today: { calls: 12, errors: 3, cost: '$0.34' } }).slice(0, 2)).toEqual([
      'Paused: new requests are refused',
      'Today: 12 calls (3 failed), $0.34',
    ])
    expect(labels('zh').slice(0, 2)).toEqual(['运行中：127.0.0.1:6411', '今日：12 次调用，$0.34'])
    const shared = { label: 'Share on the local network', type: 'checkbox', checked: true }
    expect(trayTemplate(speak('en'), { ...state, isShared: true }, actions)).toContainEqual(
      expect.objectContaining(shared),
    )
    expect(labels('zh')).toContain('在局域网中共享')
    expect(trayTemplate(speak('en'), { ...state, today: undefined }, actions)[1]).toEqual({ type: 'separator' })
  })

  it('performs the actions of its entries', () => {
    const entries = trayTemplate(speak('en'), state, actions)
    const within = entries.flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []))
    // Our own entries take no arguments.
    for (const { click } of [...entries, ...within]) (click as (() => void) | undefined)?.()
    expect(actions.pause).toHaveBeenCalledWith(true)
    expect(actions.share).toHaveBeenCalledWith(true)
    expect(actions.startAtLogin).toHaveBeenCalledWith(true)
    expect(actions.stayInTray).toHaveBeenCalledWith(false)
    expect(actions.checkDaily).toHaveBeenCalledWith(true)
    expect(actions.showNotices.mock.calls).toEqual([
      ['channels', false],
      ['money', true],
      ['updates', false],
    ])
    expect(within.map(({ label, checked }) => [label, checked])).toEqual([
      ['Channels that go off or on', true],
      ['Balances and budgets', false],
      ['Updates', true],
    ])
    const { open, copyAddress, backUp, lockedOut, checkUpdates, quit } = actions
    for (const action of [open, copyAddress, backUp, lockedOut, checkUpdates, quit])
      expect(action).toHaveBeenCalledOnce()
  })
})

describe('a page that ends', () => {
  it('is opened again, the second time within a minute after a notice, and not where it ended normally', async () => {
    const loaded: string[] = []
    const loadURL = async (url: string) => void loaded.push(url)
    const webContents = Object.assign(new EventEmitter(), { loadURL })
    const window = Object.assign(new EventEmitter(), { webContents, isDestroyed: () => false })
    let now = 0
    const warn = vi.fn()
    const address = 'http://127.0.0.1:6411'
    mendCrashes(window as unknown as BrowserWindow, { address, locale: () => 'en', monotonic: () => now, warn })
    const end = async (reason: string, atMs: number) => {
      now = atMs
      window.webContents.emit('render-process-gone', {}, { reason })
      await new Promise(setImmediate)
      return loaded.splice(0)
    }
    expect(await end('clean-exit', 0)).toEqual([])
    expect(await end('oom', 10)).toEqual([address])
    const [failurePage] = await end('crashed', 59_000)
    expect(decodeURIComponent(failurePage ?? '')).toContain('The window stopped working')
    expect(await end('crashed', 200_000)).toEqual([address])
    expect(warn).toHaveBeenCalledTimes(3)
  })

  it('shows a notice in the current language, without a script', () => {
    expect(crashPage('http://127.0.0.1:6411', 'zh')).toMatch(/<html lang="zh-CN">.*窗口已停止工作/s)
    expect(crashPage('http://127.0.0.1:6411/"><script>', 'en')).not.toContain('<script>')
  })
})

describe('a notice on the screen', () => {
  const root = { id: 1, username: 'root', role: role.root } as NoticeReceiver
  const notice = (name: string) => ({
    type: 'x',
    subject: 'mail.channel_off_subject' as const,
    body: ['mail.channel_off'] as const,
    params: { name, id: 3, reason: 'out of money' },
    values: [],
  })

  it('is only for root, once, and not too often', () => {
    const show = vi.fn()
    let now = 0
    const report = createDesktopNotices({ locale: () => 'en', monotonic: () => now, isShown: () => true, show })
    report({ ...root, role: role.user }, notice('a'))
    expect(show).not.toHaveBeenCalled()
    for (const name of ['a', 'a', 'b', 'c', 'd', 'e']) report(root, notice(name))
    expect(show).toHaveBeenCalledTimes(4)
    expect(show.mock.calls[0]).toEqual([
      { title: 'Channel a was disabled', body: 'Channel a (#3) was disabled: out of money' },
      undefined,
    ])
    now = 60_000
    report(root, notice('a'))
    expect(show).toHaveBeenCalledTimes(5)
  })

  it.each([
    ['channel_update_3_3', 'channels', '/channel'],
    ['channel_test', 'channels', '/channel'],
    ['quota_exceed', 'money', '/topup'],
    ['ledger_differences', 'money', '/ledger'],
    ['budget_reached_7_day', 'money', '/token'],
  ] as const)(
    'of %s is of the kind %s, opens %s, and stays away where that kind is switched off',
    (type, kind, page) => {
      const show = vi.fn()
      const shown = new Set<string>([kind])
      const report = createDesktopNotices({
        locale: () => 'zh',
        monotonic: () => 0,
        isShown: (one) => shown.has(one),
        show,
      })
      report(root, { ...notice('a'), type })
      expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ title: '渠道 a 已被禁用' }), page)
      shown.clear()
      report(root, { ...notice('b'), type })
      expect(show).toHaveBeenCalledOnce()
    },
  )
})

describe('a notification', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc') // a function, because of the flag
  /** A WeakRef keeps its target alive until the end of the turn. */
  const remaining = async () => {
    await new Promise(setImmediate)
    collect()
    return shown.filter((one) => one.deref() !== undefined).length
  }

  it('is there for its click as long as it is one of the last twenty, and no longer', async () => {
    const clicked: number[] = []
    const show = createNotifications()
    for (let n = 0; n < 25; n += 1) show({ title: String(n), body: '' }, () => void clicked.push(n))
    expect(await remaining()).toBe(20)
    // Moved to the system's list, from where it can be clicked.
    shown[24]?.deref()?.emit('close')
    expect(await remaining()).toBe(20)
    shown[24]?.deref()?.emit('click')
    shown[23]?.deref()?.emit('failed')
    expect(clicked).toEqual([24])
    expect(await remaining()).toBe(18)
    // The caller of `show` keeps a reference.
    show({ title: 'last', body: '' }, () => {})
  })
})
