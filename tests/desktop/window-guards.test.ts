import { EventEmitter } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WebPreferences } from 'electron'
import { beforeEach, describe, expect, it } from 'vitest'
import { NoDataKey } from '../../main/keychain.ts'
import { diagnose } from '../../main/startup-diagnosis.ts'
import { createStartupWindow } from '../../main/startup-window.ts'
import { createWindow } from '../../main/window.ts'
import { electron } from '../support/electron.ts'

const main = join(import.meta.dirname, '../../main')

type Opener = (details: { url: string }) => unknown
type PermissionAnswer = (isAllowed: boolean) => void
const ORIGIN = 'http://127.0.0.1:6411'
const opened: string[] = []
const loaded: string[] = []

type FrameDouble = { parent: FrameDouble | null; origin: string; framesInSubtree: FrameDouble[] }

class Contents extends EventEmitter {
  opener: Opener = () => undefined
  readonly mainFrame: FrameDouble = { parent: null, origin: ORIGIN, framesInSubtree: [] }
  request: (contents: object, permission: string, answer: PermissionAnswer) => void = () => {}
  check: (contents: object, permission: string) => boolean = () => true
  readonly session = {
    setPermissionRequestHandler: (handler: Contents['request']) => {
      this.request = handler
    },
    setPermissionCheckHandler: (handler: Contents['check']) => {
      this.check = handler
    },
  }
  setWindowOpenHandler(opener: Opener): void {
    this.opener = opener
  }
  async loadURL(url: string): Promise<void> {
    loaded.push(url)
  }
}

class Window extends EventEmitter {
  readonly webContents = new Contents()
  readonly options: { webPreferences: WebPreferences }
  constructor(options: Window['options']) {
    super()
    this.options = options
    made.push(this)
  }
  readonly loadURL = (url: string) => this.webContents.loadURL(url)
  show(): void {}
  isDestroyed = () => false
  isFocused = () => isFocused
}

/** The prompts in the system's dialog, and the response to each: the number of a button. */
const asked: { message: string; detail: string; buttons: string[]; answer(button: number): void }[] = []
let isFocused = true

const made: Window[] = []
Object.assign(electron, {
  app: { getAppPath: () => '/app', isPackaged: true },
  BrowserWindow: Window,
  dialog: {
    showMessageBox: (_: object, box: { message: string; detail: string; buttons: string[] }) =>
      new Promise((resolve) => asked.push({ ...box, answer: (response) => resolve({ response }) })),
  },
  Menu: { buildFromTemplate: () => ({ popup() {} }) },
  nativeTheme: { shouldUseDarkColors: false },
  screen: { getAllDisplays: () => [] },
  shell: { openExternal: async (address: string) => void opened.push(address), openPath() {} },
})

const aWindow = () => {
  createWindow(ORIGIN, String, () => [])
  const window = made.at(-1)
  if (!window) throw new Error('a window was made')
  return window
}
/** Whether the guards let a frame navigate there. */
function mayGo(
  { webContents }: Window,
  event: string,
  url: string,
  isMainFrame = true,
  by?: FrameDouble | null,
): boolean {
  let isPrevented = false
  const initiator = by === undefined ? webContents.mainFrame : by
  webContents.emit(event, { url, isMainFrame, initiator, preventDefault: () => (isPrevented = true) })
  return !isPrevented
}

/** Opens a page in a frame of the window; returns the frame. */
function framed({ webContents: { mainFrame } }: Window, origin: string): FrameDouble {
  const frame = { parent: mainFrame, origin, framesInSubtree: [] }
  mainFrame.framesInSubtree.push(frame)
  return frame
}

beforeEach(() => {
  asked.length = 0
  isFocused = true
  opened.length = 0
  loaded.length = 0
})

/** Resolves after the reactions to promises that have settled. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** Addresses that a page may try, which must open no program, file or page. */
const strange = [
  'file:///etc/passwd',
  'smb://host/share',
  'ms-msdt:/id%20PCWDiagnostic',
  'javascript:alert(1)',
  'data:text/html,hello',
  'blob:https://elsewhere.example/1',
  `blob:${ORIGIN}/1`,
  'about:blank',
  'view-source:https://elsewhere.example/',
  'vbscript:msgbox(1)',
  'chrome://settings',
  'devtools://devtools/bundled/inspector.html',
  'search-ms:query=x&crumb=location:\\\\host\\share',
  'ssh://host',
  'not an address',
]

describe('the console’s window (docs/reference/security.md#desktop)', () => {
  it('has a sandbox, no Node, no view of files, and no developer tools in a package', () => {
    const hardened = {
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      spellcheck: false,
      devTools: false,
    }
    expect(aWindow().options.webPreferences).toEqual({
      ...hardened,
      preload: join('/app', 'out', 'preload', 'preload.cjs'),
      partition: 'persist:console',
    })
    const found = diagnose(new NoDataKey('silent', 'no bus'), { config: undefined, freePort: undefined })
    if (found) void createStartupWindow('en').consult(found)
    const startup = made.at(-1)?.options.webPreferences
    expect(startup).toEqual({ ...hardened, javascript: false, partition: 'startup' })
  })

  it.each(strange)('leads nowhere by %s', (url) => {
    const window = aWindow()
    for (const event of ['will-navigate', 'will-redirect']) expect(mayGo(window, event, url), event).toBe(false)
    expect(window.webContents.opener({ url })).toEqual({ action: 'deny' })
    expect([opened, loaded]).toEqual([[], []])
  })

  it('opens the web and mail outside, and its own links within', () => {
    const window = aWindow()
    for (const url of ['https://elsewhere.example/', 'mailto:ann@elsewhere.example']) {
      expect(mayGo(window, 'will-navigate', url)).toBe(false)
      expect(mayGo(window, 'will-redirect', url)).toBe(false)
      expect(window.webContents.opener({ url })).toEqual({ action: 'deny' })
      expect(opened.splice(0)).toEqual([url, url, url])
    }
    expect(mayGo(window, 'will-navigate', `${ORIGIN}/log`)).toBe(true)
    expect(window.webContents.opener({ url: `${ORIGIN}/log` })).toEqual({ action: 'deny' })
    expect([opened, loaded]).toEqual([[], [`${ORIGIN}/log`]])
  })

  it('lets a frame of another page navigate within the web, and opens nothing for it', () => {
    const window = aWindow()
    for (const event of ['will-redirect', 'will-frame-navigate'])
      for (const url of ['https://login.elsewhere.example/', 'http://chat.example/', 'about:srcdoc'])
        expect(mayGo(window, event, url, false), `${event} ${url}`).toBe(true)
    for (const event of ['will-redirect', 'will-frame-navigate'])
      for (const url of ['file:///etc/passwd', 'smb://host/share', 'ms-msdt:/id', 'ssh://host', 'mailto:a@b.example'])
        expect(mayGo(window, event, url, false), `${event} ${url}`).toBe(false)
    expect(opened).toEqual([])
  })

  it('is led nowhere by a frame, neither by its navigation nor by a popup of its', async () => {
    const window = aWindow()
    const frame = framed(window, 'null')
    for (const event of ['will-navigate', 'will-redirect'])
      for (const url of [`${ORIGIN}/log`, 'https://elsewhere.example/', 'mailto:a@b.example', 'ama://set-api-key'])
        for (const by of [frame, null]) expect(mayGo(window, event, url, true, by), `${event} ${url}`).toBe(false)
    for (const url of [`${ORIGIN}/log`, `${ORIGIN}/pay/USR7NOabcdefghij1800000000`, 'mailto:a@b.example', ...strange])
      expect(window.webContents.opener({ url }), url).toEqual({ action: 'deny' })
    await settled()
    expect([asked, opened, loaded]).toEqual([[], [], []])
    // The console itself continues to work.
    expect(mayGo(window, 'will-navigate', `${ORIGIN}/log`)).toBe(true)
    expect(mayGo(window, 'will-navigate', 'https://elsewhere.example/')).toBe(false)
    expect(opened).toEqual(['https://elsewhere.example/'])
  })

  it('prompts the person about addresses that a frame opens, one at a time, and none after a no', async () => {
    const window = aWindow()
    framed(window, 'https://framed.example')
    const wants = async (url: string) => {
      expect(window.webContents.opener({ url })).toEqual({ action: 'deny' })
      await settled()
    }
    isFocused = false
    await wants('https://elsewhere.example/behind')
    isFocused = true
    await wants('https://elsewhere.example/1')
    await wants('https://elsewhere.example/2')
    expect(asked.map(({ message, detail, buttons }) => [message, detail, ...buttons])).toEqual([
      ['frame.asks', 'https://elsewhere.example/1', 'frame.open', 'frame.cancel'],
    ])
    asked[0]?.answer(0)
    await settled()
    expect(opened).toEqual(['https://elsewhere.example/1'])
    await wants(`https://elsewhere.example/${'x'.repeat(5000)}`)
    expect(asked[1]?.detail.length).toBeLessThan(300)
    asked[1]?.answer(1)
    await settled()
    await wants('https://elsewhere.example/4')
    window.webContents.emit('did-navigate-in-page', {}, 'https://framed.example/#', false)
    await wants('https://elsewhere.example/5')
    expect([asked.length, opened.length]).toEqual([2, 1])
    window.webContents.emit('did-navigate-in-page', {}, `${ORIGIN}/about`, true)
    await wants('https://elsewhere.example/6')
    expect(asked[2]?.detail).toBe('https://elsewhere.example/6')
    expect(loaded).toEqual([])
  })

  it('opens addresses of its own page at once, with one of its own frames in it', () => {
    const window = aWindow()
    framed(window, ORIGIN)
    for (const url of ['https://elsewhere.example/', `${ORIGIN}/log`]) window.webContents.opener({ url })
    expect([asked, opened, loaded]).toEqual([[], ['https://elsewhere.example/'], [`${ORIGIN}/log`]])
  })

  it('has no webviews, and of all permissions that of writing to the clipboard', () => {
    const window = aWindow()
    expect(mayGo(window, 'will-attach-webview', 'about:blank')).toBe(false)
    const { request, check } = window.webContents
    const asked = (permission: string): boolean => {
      let isAllowed = true
      request({}, permission, (answer) => {
        isAllowed = answer
      })
      expect(check({}, permission)).toBe(isAllowed)
      return isAllowed
    }
    const all = 'media geolocation notifications hid serial usb midi midiSysex openExternal pointerLock fullscreen'
    const more = 'clipboard-read display-capture storage-access idle-detection speaker-selection unknown'
    for (const permission of `${all} ${more}`.split(' ')) expect(asked(permission), permission).toBe(false)
    expect(asked('clipboard-sanitized-write')).toBe(true)
  })
})

describe('the desktop program (docs/reference/security.md#desktop)', () => {
  const files = readdirSync(main, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const having = (pattern: RegExp) =>
    files.filter((name) => pattern.test(readFileSync(join(main, name), 'utf8'))).sort()

  it('creates windows in two files, and each is hardened', () => {
    expect(having(/new BrowserWindow\(/)).toEqual(['plain-window.ts', 'window.ts'])
    expect(having(/new (BrowserView|WebContentsView)\(/)).toEqual([])
    // A BaseWindow has no page.
    expect(having(/new BaseWindow\(/)).toEqual(['quit.ts'])
    expect(having(/webPreferences: \{\s*\.\.\.hardened/)).toEqual(['plain-window.ts', 'window.ts'])
  })

  it('opens no port for debuggers, sends no crash reports, and has one method of updating, which never runs automatically', () => {
    expect(having(/remote-debugging|commandLine|--inspect|openDevTools|webContents\.debugger/)).toEqual([])
    expect(having(/crashReporter|\bautoUpdater\b/)).toEqual([])
    expect(having(/'electron-updater'/)).toEqual(['update/electron-engine.ts'])
    const engine = readFileSync(join(main, 'update/electron-engine.ts'), 'utf8')
    for (const off of ['autoDownload', 'autoInstallOnAppQuit', 'allowDowngrade'])
      expect(engine).toContain(`updater.${off} = false`)
  })

  it('communicates with its page only by the messages of the bridge', () => {
    expect(having(/\bipcMain\b/)).toEqual(['bridge.ts'])
    expect(having(/\bipcRenderer\b/)).toEqual(['preload.ts'])
    expect(having(/\.webContents\.send\(|executeJavaScript|MessageChannelMain/)).toEqual([])
  })

  it('is one at a time and in a sandbox before it does anything', () => {
    const index = readFileSync(join(main, 'index.ts'), 'utf8')
    const begun = index.slice(index.indexOf('async function main'), index.indexOf('app.whenReady'))
    expect(begun).toMatch(
      /^async function main\(\): Promise<void> \{\n {2}if \(!app\.requestSingleInstanceLock\(\)\) return/,
    )
    expect(begun).toContain('app.enableSandbox()')
    const second = /app\.on\('second-instance'.+?\n {2}\}\)/s.exec(begun)?.[0] ?? ''
    expect(second, 'of what a second one was started with, the page of a link').toContain('pageInArguments(args)')
    expect(second.match(/\bargs\b/g), 'and whether anybody waits for a window').toHaveLength(3)
    expect(second).toContain('args.includes(HIDDEN)')
  })

  it('is packed with its fuses set', () => {
    const fuses = readFileSync(join(main, '../electron-builder.yml'), 'utf8')
    for (const off of [
      'runAsNode',
      'enableNodeOptionsEnvironmentVariable',
      'enableNodeCliInspectArguments',
      'loadBrowserProcessSpecificV8Snapshot',
      'grantFileProtocolExtraPrivileges',
    ])
      expect(fuses).toContain(`  ${off}: false\n`)
    for (const on of ['enableCookieEncryption', 'enableEmbeddedAsarIntegrityValidation', 'onlyLoadAppFromAsar'])
      expect(fuses).toContain(`  ${on}: true\n`)
  })
})
