import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { root } from './node24.mjs'

/**
 * On Windows the console itself gives Ctrl-C to every process in it, and a signal from here would kill a child without
 * a warning.
 */
const isWindows = process.platform === 'win32'

/**
 * Signals less than this many milliseconds apart count as one, because a terminal and npm may both forward one Ctrl-C.
 */
const sameWishMs = 1_000

const endsWithParent = new URL('ends-with-parent.mjs', import.meta.url).href

/**
 * Runs Node programs in parallel until the first ends, then stops the others and exits with its code. Children get each
 * signal to stop once: they are detached from the terminal, so it reaches them only through here.
 */
export function runTogether(commands) {
  const children = commands.map(({ file, args, env }) =>
    spawn(file, ['--import', endsWithParent, ...args], {
      cwd: root,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: !isWindows,
    }),
  )
  let lastWish = Number.NEGATIVE_INFINITY
  const passOn = (signal) => {
    const now = performance.now()
    if (isWindows || now - lastWish < sameWishMs) return
    lastWish = now
    for (const child of children) child.kill(signal)
  }
  process.on('SIGINT', () => passOn('SIGINT'))
  process.on('SIGTERM', () => passOn('SIGTERM'))
  process.on('SIGHUP', () => passOn('SIGTERM'))

  endWithNpm(() => passOn('SIGTERM'))

  let code
  let running = children.length
  const ended = (own) => {
    code ??= own
    running -= 1
    if (running === 0) process.exit(code)
    for (const child of children) child.kill('SIGTERM')
  }
  for (const child of children) {
    child.once('error', (error) => {
      console.error(error.message)
      ended(1)
    })
    child.once('exit', (own, signal) => ended(own ?? 128 + (constants.signals[signal] ?? 0)))
  }
}

/**
 * npm runs a script through a shell; a signal to npm ends the shell, which does not forward it. So a process started by
 * npm treats the loss of its parent as a signal to stop.
 */
function endWithNpm(stop) {
  if (isWindows || !process.env.npm_lifecycle_event) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 250)
  timer.unref()
}
