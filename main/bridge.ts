import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { ConnectDesk } from '../gateway/connect/desk.ts'
import { type DesktopHandover, type DesktopTicket, desktopChannels } from '../shared/desktop.ts'
import { isPageOf } from './window-guards.ts'

type BridgeDeps = Readonly<{
  /** The origin of the gateway's own pages; nobody else is answered. */
  origin: string
  ticket: () => Promise<DesktopTicket | null>
  /** Begins a login in the system's browser, which it opens. */
  handover: () => DesktopHandover | null
  /** Opens the personal settings there. */
  openPersonal: () => void
  /** Shows the page of updates; nothing is downloaded or installed from here. */
  openUpdates: () => void
  /** Shows the ways back in, of which each takes a press there. */
  openLockedOut: () => void
  /** Sets up programs of the person at this computer. */
  connect: ConnectDesk
  /** Told the language tag of the page whenever it changes. */
  onLanguage: (tag: string) => void
}>

/**
 * Answers the console's page, on one screen: every privilege it has beyond HTTP (docs/reference/security.md#desktop).
 */
export function openBridge(deps: BridgeDeps): void {
  const { origin, ticket, handover, openPersonal, openUpdates, openLockedOut, connect, onLanguage } = deps
  ipcMain.handle(desktopChannels.ticket, (event) => (isFrom(event, origin) ? ticket() : null))
  ipcMain.handle(desktopChannels.handover, (event) => (isFrom(event, origin) ? handover() : null))
  // The desk checks what it is asked: a program of its table, a key, a model.
  ipcMain.handle(desktopChannels.connectStatus, (event) => (isFrom(event, origin) ? connect.status() : null))
  ipcMain.handle(desktopChannels.connectPlan, (event, asked: unknown) =>
    isFrom(event, origin) ? connect.plan(asked) : null,
  )
  ipcMain.handle(desktopChannels.connectApply, (event, asked: unknown) =>
    isFrom(event, origin) ? connect.apply(asked) : null,
  )
  ipcMain.handle(desktopChannels.connectUndo, (event, asked: unknown) =>
    isFrom(event, origin) ? connect.undo(asked) : null,
  )
  ipcMain.handle(desktopChannels.connectPlanMove, (event, asked: unknown) =>
    isFrom(event, origin) ? connect.planMove(asked) : null,
  )
  ipcMain.handle(desktopChannels.connectMove, (event, asked: unknown) =>
    isFrom(event, origin) ? connect.move(asked) : null,
  )
  ipcMain.on(desktopChannels.personal, (event) => {
    if (isFrom(event, origin)) openPersonal()
  })
  ipcMain.on(desktopChannels.updates, (event) => {
    if (isFrom(event, origin)) openUpdates()
  })
  ipcMain.on(desktopChannels.lockedOut, (event) => {
    if (isFrom(event, origin)) openLockedOut()
  })
  ipcMain.on(desktopChannels.language, (event, tag: unknown) => {
    if (isFrom(event, origin) && typeof tag === 'string') onLanguage(tag)
  })
}

/** Only the window's own page: not a frame in it, and not another page it may have been led to. */
function isFrom({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageOf(senderFrame.url, origin)
}
