import { spawn } from 'node:child_process'
import { app } from 'electron'
import { pageOfLink } from './deep-link.ts'
import { HIDDEN } from './login-item.ts'

/**
 * Starts the program again once this one has ended. An AppImage is mounted for its own process alone and gone with it, so `appImage`,
 * its file, is started instead of the program in the mount, when nothing of this one holds the place of the only instance.
 */
export function relaunch(appImage: string | undefined): void {
  const args = argumentsAgain(process.argv.slice(1))
  if (appImage === undefined) {
    app.relaunch({ args })
    return
  }
  app.once('quit', () => {
    app.releaseSingleInstanceLock()
    const next = spawn(appImage, args, { detached: true, stdio: 'ignore' })
    // The file may have been moved or deleted meanwhile: then nothing starts.
    next.on('error', () => {}).unref()
  })
}

/** What this start was given, but for what only it was meant for: to stay out of sight at login, or to open a page. */
export const argumentsAgain = (words: readonly string[]): string[] =>
  words.filter((word) => word !== HIDDEN && pageOfLink(word) === undefined)
