import type { Cancellation } from '../model/cancellation.ts'

/** Waits, but no longer than somebody wants the answer; `cancellation.over` tells whether anybody still does. */
export function pause(cancellation: Cancellation, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const listener = { abandon: () => end() }
    const timer = setTimeout(() => end(), ms)
    const end = () => {
      clearTimeout(timer)
      if (cancellation.listener === listener) cancellation.listener = undefined
      resolve()
    }
    cancellation.listener = listener
    if (cancellation.over) end()
  })
}
