import { spawn } from 'node:child_process'
import { app } from 'electron'

/**
 * Starts the program again once this one has ended. An AppImage is mounted for its own process alone and gone with it, so its
 * file is started instead of the program in the mount, when nothing of this one holds the place of the only instance.
 */
export function relaunch(): void {
  const { APPIMAGE } = process.env
  if (!APPIMAGE) {
    app.relaunch()
    return
  }
  app.once('quit', () => {
    app.releaseSingleInstanceLock()
    const next = spawn(APPIMAGE, process.argv.slice(1), { detached: true, stdio: 'ignore' })
    // The file may have been moved or deleted meanwhile: then nothing starts.
    next.on('error', () => {}).unref()
  })
}
