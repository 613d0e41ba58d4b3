import type { Page } from '@playwright/test'

type WithTimers = Readonly<{ endTimers: (ms: number) => number }>

/** Shorter timers are invisible to users, and pages need them. */
const SHORT_MS = 500

/**
 * Holds timers of half a second and longer on pages opened from now on. The function it returns fires those of one
 * length, and returns their number. A wait of a second and a half thus depends on no machine's speed, and takes no
 * time.
 */
export async function holdTimers(page: Page): Promise<(ms: number) => Promise<number>> {
  await page.addInitScript((short) => {
    const { setTimeout: start, clearTimeout: stop } = window
    const held = new Map<number | undefined, { ms: number; end: () => void }>()
    const later = (end: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      if (ms < short) return start(end, ms, ...given)
      // Never fires; provides a unique timer id.
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
        // The result is returned before a timer can navigate away from the page.
        start(end)
      }
      return due.length
    }
    Object.assign(window, { setTimeout: later, clearTimeout: clear, endTimers })
  }, SHORT_MS)
  return (ms) => page.evaluate((wanted) => (window as unknown as WithTimers).endTimers(wanted), ms)
}
