import { spawn } from 'node:child_process'
import { app } from 'electron'
import { pageOfLink } from './deep-link.ts'
import { HIDDEN } from './login-item.ts'

/**
 * Starts the program again after this one has exited. An AppImage is mounted only for its own process, so its file
 * `appImage` is started instead, after this process has released the single-instance lock.
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
    // The file may have been moved or deleted meanwhile; then nothing starts.
    next.on('error', () => {}).unref()
  })
}

/** The arguments of this start, except those that apply only once: starting hidden, or opening a page. */
export const argumentsAgain = (args: readonly string[]): string[] =>
  args.filter((word) => word !== HIDDEN && pageOfLink(word) === undefined)
