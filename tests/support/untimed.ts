import { vi } from 'vitest'

/**
 * Does some work while no timer goes off that is set meanwhile: what it comes to has waited for none, however busy the machine
 * is. Those that are left go off once before it answers.
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
