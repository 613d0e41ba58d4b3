import { BrowserWindow } from 'electron'
import { showWhenReady } from './show-when-ready.ts'
import { groundColour, hardened } from './window.ts'

/** A plain HTML window; created when shown, destroyed when closed. */
export interface PlainWindow {
  show(): void
  draw(): void
  focus(): void
  close(): void
}

type PlainWindowDeps = Readonly<{
  /** The name of its isolated session. */
  partition: string
  width: number
  height: number
  page: () => string
  /** Called with the address of a pressed link. */
  press: (address: string) => void
  onClosed?: () => void
}>

/**
 * Creates a window that runs no scripts, has no preload and cannot navigate: its links are intercepted
 * (docs/reference/security.md#desktop).
 */
export function createPlainWindow({ page, press, onClosed = () => {}, ...look }: PlainWindowDeps): PlainWindow {
  let window: BrowserWindow | undefined
  const draw = () => {
    // Only a newer page or closing the window aborts such a load; neither is an error.
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
      // The window is destroyed a moment later; a request until then opens a new one.
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
