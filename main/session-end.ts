import { BaseWindow } from 'electron'

/**
 * Calls `end` when the person logs off from Windows or shuts it down. Only windows are told of that, so one without a page, which
 * nobody sees, hears it also while the program is in the tray. Elsewhere this does nothing: `powerMonitor` tells of the end there.
 */
export function watchSessionEnd(platform: NodeJS.Platform, end: () => void): void {
  if (platform !== 'win32') return
  new BaseWindow({ show: false, skipTaskbar: true, title: 'Switchyard' }).once('session-end', end)
}
