import { BrowserWindow, shell } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { showWhenReady } from './show-when-ready.ts'
import type { Diagnosis, Remedy } from './startup-diagnosis.ts'
import { remedyIn, startupPage } from './startup-page.ts'
import { groundColour, hardened } from './window.ts'

/** Shows people what is wrong and hears what they decide. */
export interface StartupWindow {
  /** Waits for a decision; closing the window is the decision to quit. */
  consult(found: Diagnosis): Promise<Remedy>
  /** The language the person has chosen on the page. */
  locale(): Locale
  /** Brings the page to the front, if it is there. */
  focus(): void
  /** Takes the page away; call it once something else is on the screen. */
  close(): void
}

/**
 * The startup page in a window of its own, opened when it is first needed. It runs no script, has no preload and can go
 * nowhere: its links are caught on their way out.
 */
export function createStartupWindow(locale: Locale): StartupWindow {
  let spoken = locale
  let window: BrowserWindow | undefined
  let found: Diagnosis | undefined
  let decide: (remedy: Remedy) => void = () => {}
  const show = () => {
    const page = found ? startupPage(found, spoken) : ''
    // Only a newer page or the closing of the window ends the load of such an address, and neither is a fault.
    window?.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page)}`).catch(() => {})
  }
  const take = (remedy: Remedy) => {
    if (remedy === 'language') {
      spoken = spoken === 'zh' ? 'en' : 'zh'
      return show()
    }
    if (remedy !== 'folder') decide(remedy)
    else if (found?.folder !== undefined) void shell.openPath(found.folder)
  }
  const closed = () => {
    window = undefined
    decide('quit')
  }
  return {
    consult(next) {
      found = next
      const decided = new Promise<Remedy>((resolve) => {
        decide = resolve
      })
      window ??= open(take, closed)
      show()
      return decided
    },
    locale: () => spoken,
    focus: () => window?.focus(),
    close: () => window?.close(),
  }
}

function open(take: (remedy: Remedy) => void, closed: () => void): BrowserWindow {
  const window = new BrowserWindow({
    width: 760,
    height: 720,
    minWidth: 360,
    minHeight: 480,
    show: false,
    backgroundColor: groundColour(),
    webPreferences: { ...hardened, javascript: false, partition: 'startup', devTools: false },
  })
  window.once('closed', closed)
  window.webContents.on('will-navigate', (event) => {
    event.preventDefault()
    const remedy = remedyIn(event.url)
    if (remedy) take(remedy)
  })
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  showWhenReady(window)
  return window
}
