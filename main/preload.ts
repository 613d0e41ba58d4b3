import { contextBridge, ipcRenderer } from 'electron'
import { type Desktop, desktopChannels } from '../shared/desktop.ts'

const desktop: Desktop = {
  platform: process.platform,
  ticket: () => ipcRenderer.invoke(desktopChannels.ticket),
  handover: () => ipcRenderer.invoke(desktopChannels.handover),
  openPersonal: () => ipcRenderer.send(desktopChannels.personal),
  openUpdates: () => ipcRenderer.send(desktopChannels.updates),
  openLockedOut: () => ipcRenderer.send(desktopChannels.lockedOut),
  connect: Object.freeze({
    status: () => ipcRenderer.invoke(desktopChannels.connectStatus),
    plan: (request) => ipcRenderer.invoke(desktopChannels.connectPlan, request),
    apply: (request) => ipcRenderer.invoke(desktopChannels.connectApply, request),
    undo: (client) => ipcRenderer.invoke(desktopChannels.connectUndo, { client }),
    planMove: (client) => ipcRenderer.invoke(desktopChannels.connectPlanMove, { client }),
    move: (request) => ipcRenderer.invoke(desktopChannels.connectMove, request),
  } satisfies Desktop['connect']),
}
contextBridge.exposeInMainWorld('desktop', Object.freeze(desktop))

// The console sets the document's language; the native menu follows it.
new MutationObserver(() => {
  ipcRenderer.send(desktopChannels.language, document.documentElement.lang)
}).observe(document, { attributes: true, attributeFilter: ['lang'], subtree: true })
