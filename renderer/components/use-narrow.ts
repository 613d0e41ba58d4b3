import { useSyncExternalStore } from 'react'

/** Whether the window is as narrow as a phone: at most 600 pixels (docs/reference/screens.md#formats-and-colours). */
export const useNarrow = (): boolean => useSyncExternalStore(onResize, isNarrow)

/** Whether a table of many columns cannot stand in the window whole: at most 1100 pixels. */
export const useCompact = (): boolean => useSyncExternalStore(onCompact, isCompact)

/** Whether the window is narrow now. */
export const isNarrow = (): boolean => narrow.matches

/** One query for all; it never changes. */
const narrow = window.matchMedia('(width <= 600px)')
const compact = window.matchMedia('(width <= 1100px)')

const onChangeOf = (query: MediaQueryList) => (listener: () => void) => {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
const onResize = onChangeOf(narrow)
const onCompact = onChangeOf(compact)
const isCompact = (): boolean => compact.matches
