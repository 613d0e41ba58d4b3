import { contextBridge, ipcRenderer } from 'electron'
import { type Desktop, desktopChannels } from '../shared/desktop.ts'

const desktop: Desktop = {
  platform: process.platform,
  ticket: () => ipcRenderer.invoke(desktopChannels.ticket),
  handover: () => ipcRenderer.invoke(desktopChannels.handover),
  openPersonal: () => ipcRenderer.send(desktopChannels.personal),
}
contextBridge.exposeInMainWorld('desktop', Object.freeze(desktop))

// The console says its language where every page says it; the native menu follows.
new MutationObserver(() => {
  ipcRenderer.send(desktopChannels.language, document.documentElement.lang)
}).observe(document, { attributes: true, attributeFilter: ['lang'], subtree: true })
