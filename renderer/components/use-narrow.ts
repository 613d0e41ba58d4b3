import { useSyncExternalStore } from 'react'

/** Whether the window is as narrow as a phone: at most 600 pixels (docs/reference/screens.md#formats-and-colours). */
export const useNarrow = (): boolean => useSyncExternalStore(narrow.subscribe, narrow.matches)

/** Whether a table of many columns cannot stand in the window whole: at most 1100 pixels. */
export const useCompact = (): boolean => useSyncExternalStore(compact.subscribe, compact.matches)

/** Whether the window is narrow now. */
export const isNarrow = (): boolean => narrow.matches()

/** Whether there is no room for a sidebar with words beside a page: below 1024 pixels, as on a tablet or at a zoom of 200 %. */
export const useTight = (): boolean => useSyncExternalStore(tight.subscribe, tight.matches)

/** Whether a table would hide what matters: below 768 pixels, as a desk of 1280 has at a zoom of 200 %. Lists are cards then. */
export const useCardWidth = (): boolean => useSyncExternalStore(cardWidth.subscribe, cardWidth.matches)

/** One query for all who ask. */
const narrow = watched('(width <= 600px)')
const compact = watched('(width <= 1100px)')
const tight = watched('(width < 1024px)')
const cardWidth = watched('(width < 768px)')

/** A media query that a component follows: whether the window matches it now, and a call at each change. */
export function watched(text: string) {
  const query = window.matchMedia(text)
  return {
    matches: () => query.matches,
    subscribe: (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}
