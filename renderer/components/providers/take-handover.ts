import { handover } from '../../../shared/api/handover.ts'
import type { SignedIn } from '../../../shared/api/user.ts'
import type { DesktopHandover } from '../../../shared/desktop.ts'
import { CallFailure } from '../../api/call-failure.ts'
import { send } from '../../api/client.ts'

const FIRST_MS = 1000
const MAX_MS = 8000
const SLOWER = 1.3

/**
 * Polls until the login is confirmed in the browser or the signal is aborted: with increasing delays, and at once when
 * this window regains focus. Throws if the gateway refuses, for example because the login has expired; retries after
 * any other failure.
 */
export async function takeHandover(begun: DesktopHandover, signal: AbortSignal): Promise<SignedIn | undefined> {
  for (let wait = FIRST_MS; !signal.aborted; wait = Math.min(wait * SLOWER, MAX_MS)) {
    await untilNext(wait, signal)
    const taken = signal.aborted ? undefined : await poll(begun)
    if (taken) return taken
  }
  return undefined
}

/** Cancels the handover. If the gateway cannot be reached, the handover expires. */
export const dropHandover = (begun: DesktopHandover): void =>
  void send(handover.cancel, { body: begun }, { quiet: true }).catch(() => undefined)

async function poll(begun: DesktopHandover): Promise<SignedIn | null> {
  try {
    return await send(handover.take, { body: begun }, { quiet: true })
  } catch (error) {
    if (error instanceof CallFailure && error.kind !== 'refused') return null
    throw error
  }
}

function untilNext(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const over = new AbortController()
  const timer = setTimeout(resolve, ms)
  const until = { signal: over.signal }
  window.addEventListener('focus', () => resolve(), until)
  signal.addEventListener('abort', () => resolve(), until)
  return promise.finally(() => {
    clearTimeout(timer)
    over.abort()
  })
}
