import { shell } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { createPlainWindow } from './plain-window.ts'
import type { Diagnosis, Remedy } from './startup-diagnosis.ts'
import { remedyIn, startupPage } from './startup-page.ts'

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

/** The startup page in a window of its own, opened when it is first needed. */
export function createStartupWindow(locale: Locale): StartupWindow {
  let spoken = locale
  let found: Diagnosis | undefined
  let decide: (remedy: Remedy) => void = () => {}
  const window = createPlainWindow({
    partition: 'startup',
    width: 760,
    height: 720,
    page: () => (found ? startupPage(found, spoken) : ''),
    press(address) {
      const remedy = remedyIn(address)
      if (remedy) take(remedy)
    },
    onClosed: () => decide('quit'),
  })
  const take = (remedy: Remedy) => {
    if (remedy === 'language') {
      spoken = spoken === 'zh' ? 'en' : 'zh'
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
    locale: () => spoken,
    focus: window.focus,
    close: window.close,
  }
}
