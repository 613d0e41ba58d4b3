import { BrowserWindow } from 'electron'
import { showWhenReady } from '../show-when-ready.ts'
import { groundColour, hardened } from '../window.ts'
import { actionIn, type UpdateAction } from './update-page.ts'

/** The window of updates; it is there while somebody looks at it. */
export interface UpdateWindow {
  show(): void
  /** Draws its page anew, if it is there. */
  draw(): void
  close(): void
}

/** Runs no script, has no preload and can go nowhere: its links are caught on their way out, as `act`. */
export function createUpdateWindow(page: () => string, act: (action: UpdateAction) => void): UpdateWindow {
  let window: BrowserWindow | undefined
  const draw = () => {
    // Only a newer page or the closing of the window ends the load of such an address, and neither is a fault.
    window?.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page())}`).catch(() => {})
  }
  return {
    show() {
      if (window) return window.focus()
      const opened = open(act)
      opened.once('closed', () => {
        if (window === opened) window = undefined
      })
      window = opened
      draw()
    },
    draw,
    close() {
      const closing = window
      // It is gone a moment later, and whoever asks for it meanwhile gets another.
      window = undefined
      closing?.close()
    },
  }
}

function open(act: (action: UpdateAction) => void): BrowserWindow {
  const window = new BrowserWindow({
    width: 680,
    height: 640,
    minWidth: 360,
    minHeight: 420,
    show: false,
    backgroundColor: groundColour(),
    webPreferences: { ...hardened, javascript: false, partition: 'updates', devTools: false },
  })
  window.webContents.on('will-navigate', (event) => {
    event.preventDefault()
    const action = actionIn(event.url)
    if (action) act(action)
  })
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  showWhenReady(window)
  return window
}
