import { type IpcMainEvent, type IpcMainInvokeEvent, ipcMain } from 'electron'
import type { ConnectService } from '../gateway/connect/connect-service.ts'
import { type DesktopHandover, type DesktopTicket, desktopChannels } from '../shared/desktop.ts'
import { isPageOf } from './window-guards.ts'

type BridgeDeps = Readonly<{
  /** The origin of the gateway's own pages; messages from pages of other origins are ignored. */
  origin: string
  ticket: () => Promise<DesktopTicket | null>
  /** Opens the login in the system's browser; null before the setup. */
  handover: () => DesktopHandover | null
  openPersonal: () => void
  openUpdates: () => void
  /** Shows the account recovery page; nothing happens until the user presses one of its buttons. */
  openLockedOut: () => void
  connect: ConnectService
  onLanguage: (tag: string) => void
}>

/**
 * Handles messages from the console's page, which are its only privileges beyond HTTP
 * (docs/reference/security.md#desktop).
 */
export function openBridge(deps: BridgeDeps): void {
  const { origin, ticket, handover, openPersonal, openUpdates, openLockedOut, connect, onLanguage } = deps
  ipcMain.handle(desktopChannels.ticket, (event) => (isFrom(event, origin) ? ticket() : null))
  ipcMain.handle(desktopChannels.handover, (event) => (isFrom(event, origin) ? handover() : null))
  // The connect service validates its arguments: a known program, a key, a model.
  ipcMain.handle(desktopChannels.connectStatus, (event) => (isFrom(event, origin) ? connect.status() : null))
  ipcMain.handle(desktopChannels.connectPlan, (event, request: unknown) =>
    isFrom(event, origin) ? connect.plan(request) : null,
  )
  ipcMain.handle(desktopChannels.connectApply, (event, request: unknown) =>
    isFrom(event, origin) ? connect.apply(request) : null,
  )
  ipcMain.handle(desktopChannels.connectUndo, (event, request: unknown) =>
    isFrom(event, origin) ? connect.undo(request) : null,
  )
  ipcMain.handle(desktopChannels.connectPlanMove, (event, request: unknown) =>
    isFrom(event, origin) ? connect.planMove(request) : null,
  )
  ipcMain.handle(desktopChannels.connectMove, (event, request: unknown) =>
    isFrom(event, origin) ? connect.move(request) : null,
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

/** Accepts only the window's own page: no frames, and no other page the window may have navigated to. */
function isFrom({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent, origin: string): boolean {
  return senderFrame !== null && senderFrame.parent === null && isPageOf(senderFrame.url, origin)
}
