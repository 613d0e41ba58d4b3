import { useSyncExternalStore } from 'react'

/** Whether the window is as narrow as a phone: at most 600 pixels (docs/reference/screens.md#formats-and-colours). */
export const useNarrow = (): boolean => useSyncExternalStore(onResize, isNarrow)

/** Whether the window is narrow now. */
export const isNarrow = (): boolean => narrow.matches

/** One query for all; it never changes. */
const narrow = window.matchMedia('(width <= 600px)')

function onResize(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
