import { shell } from 'electron'
import { type Locale, nextLocale } from '../shared/messages/locales.ts'
import { createPlainWindow } from './plain-window.ts'
import type { Diagnosis, Remedy } from './startup-diagnosis.ts'
import { remedyIn, startupPage } from './startup-page.ts'

/** Shows problems and returns the user's decisions. */
export interface StartupWindow {
  /** Waits for a decision; closing the window means quitting. */
  consult(found: Diagnosis): Promise<Remedy>
  locale(): Locale
  focus(): void
  /** Closes the page; call it once another window is shown. */
  close(): void
}

/** The startup page in its own window, opened on first use. */
export function createStartupWindow(locale: Locale): StartupWindow {
  let currentLocale = locale
  let found: Diagnosis | undefined
  let decide: (remedy: Remedy) => void = () => {}
  const window = createPlainWindow({
    partition: 'startup',
    width: 760,
    height: 720,
    page: () => (found ? startupPage(found, currentLocale) : ''),
    press(address) {
      const remedy = remedyIn(address)
      if (remedy) take(remedy)
    },
    onClosed: () => decide('quit'),
  })
  const take = (remedy: Remedy) => {
    if (remedy === 'language') {
      currentLocale = nextLocale(currentLocale)
      return window.draw()
    }
    if (remedy !== 'folder') decide(remedy)
    else if (found?.folder !== undefined) void shell.openPath(found.folder)
  }
  return {
    consult(next) {
      found = next
      const decided = new Promise<Remedy>((resolve) => {
        decide = resolve
      })
      window.show()
      return decided
    },
    locale: () => currentLocale,
    focus: window.focus,
    close: window.close,
  }
}
