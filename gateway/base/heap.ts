import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Stops V8 from allocating objects in the old generation because they lived long during a busy hour: a request that
 * references one such object stays in memory until the next full collection
 * (docs/decisions/2026-11-21-requests-die-young.md).
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** After the first requests of a start, such as those of the desktop's window. */
const START_MS = 1000

/**
 * Collects the garbage of the start, a second after it, and returns its pages to the system: about 35 MB, which V8 keeps
 * as long as a process is idle. Blocks the event loop once, for about 0.1 s.
 */
export function releaseStartMemory(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('globalThis.gc')
    if (typeof collect === 'function') collect({ type: 'major', flavor: 'last-resort' })
  }, START_MS).unref()
}
