import type { Page } from '@playwright/test'

type WithTimers = Readonly<{ endTimers: (ms: number) => number }>

/** A timer this short is no wait that anybody sees, and pages need it. */
const SHORT_MS = 500

/**
 * Has the pages to come keep timers of half a second and more until they are told to end those of one length; that answers
 * how many they were. What waits for a second and a half then does so on any machine, and no test waits with it.
 */
export async function holdTimers(page: Page): Promise<(ms: number) => Promise<number>> {
  await page.addInitScript((short) => {
    const { setTimeout: start, clearTimeout: stop } = window
    const held = new Map<number | undefined, { ms: number; end: () => void }>()
    const later = (end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      if (ms < short) return start(end, ms, ...given)
      // Never run, but a number that no other timer has.
      const id = start(() => {}, 2 ** 31 - 1)
      held.set(id, { ms, end: () => end(...given) })
      return id
    }
    const clear = (id: number | undefined) => {
      held.delete(id)
      stop(id)
    }
    const endTimers = (wanted: number) => {
      const due = [...held].filter(([, { ms }]) => ms === wanted)
      for (const [id, { end }] of due) {
        clear(id)
        // The answer leaves before a page that is led elsewhere does.
        start(end)
      }
      return due.length
    }
    Object.assign(window, { setTimeout: later, clearTimeout: clear, endTimers })
  }, SHORT_MS)
  return (ms) => page.evaluate((wanted) => (window as unknown as WithTimers).endTimers(wanted), ms)
}
