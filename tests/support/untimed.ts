import { vi } from 'vitest'

/**
 * Runs some work while timers set during it are held, so that its result depends on no timer, however busy the machine
 * is. Remaining timers fire once before it returns.
 */
export async function untimed<T>(work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  try {
    return await work()
  } finally {
    await vi.runOnlyPendingTimersAsync()
    vi.useRealTimers()
  }
}
