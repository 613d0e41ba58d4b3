import type { Patience } from '../model/cancellation.ts'

/** Waits, but no longer than somebody wants the answer; `patience.over` tells whether anybody still does. */
export function pause(patience: Patience, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const listener = { abandon: () => end() }
    const timer = setTimeout(() => end(), ms)
    const end = () => {
      clearTimeout(timer)
      if (patience.listener === listener) patience.listener = undefined
      resolve()
    }
    patience.listener = listener
    if (patience.over) end()
  })
}
