import { BrowserWindow } from 'electron'
import { showWhenReady } from './show-when-ready.ts'
import { groundColour, hardened } from './window.ts'

/** A window of plain HTML; it is there while somebody looks at it. */
export interface PlainWindow {
  /** Shows its page as it is now; opens the window where there is none. */
  show(): void
  /** Draws its page again, if the window is there. */
  draw(): void
  focus(): void
  close(): void
}

type PlainWindowDeps = Readonly<{
  /** The name of its session, which shares nothing with others. */
  partition: string
  width: number
  height: number
  page: () => string
  /** Takes the address of a link that was pressed. */
  press: (address: string) => void
  onClosed?: () => void
}>

/** Runs no script, has no preload and can go nowhere: its links are caught on their way out (docs/reference/security.md#desktop). */
export function createPlainWindow({ page, press, onClosed = () => {}, ...look }: PlainWindowDeps): PlainWindow {
  let window: BrowserWindow | undefined
  const draw = () => {
    // Only a newer page or the closing of the window ends the load of such an address, and neither is a fault.
    window?.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(page())}`).catch(() => {})
  }
  return {
    show() {
      if (window) window.focus()
      else {
        const opened = open(look, press)
        opened.once('closed', () => {
          if (window === opened) window = undefined
          onClosed()
        })
        window = opened
      }
      draw()
    },
    draw,
    focus: () => window?.focus(),
    close() {
      const closing = window
      // It is gone a moment later; who asks for it meanwhile gets another.
      window = undefined
      closing?.close()
    },
  }
}

type Look = Pick<PlainWindowDeps, 'partition' | 'width' | 'height'>

function open({ partition, width, height }: Look, press: (address: string) => void): BrowserWindow {
  const window = new BrowserWindow({
    width,
    height,
    minWidth: 360,
    minHeight: 420,
    show: false,
    backgroundColor: groundColour(),
    webPreferences: { ...hardened, javascript: false, partition, devTools: false },
  })
  window.webContents.on('will-navigate', (event) => {
    event.preventDefault()
    press(event.url)
  })
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  showWhenReady(window)
  return window
}
