import { useSyncExternalStore } from 'react'

/** Whether the window is as narrow as a phone: at most 600 pixels (docs/reference/screens.md#formats-and-colors). */
export const useNarrow = (): boolean => useSyncExternalStore(narrow.subscribe, narrow.matches)

/** Whether a table of many columns does not fit: at most 1100 pixels. */
export const useCompact = (): boolean => useSyncExternalStore(compact.subscribe, compact.matches)

/** As `useNarrow`, outside of components. */
export const isNarrow = (): boolean => narrow.matches()

/** Whether a labelled sidebar does not fit next to a page: below 1024 pixels, as on a tablet or at 200 % zoom. */
export const useTight = (): boolean => useSyncExternalStore(tight.subscribe, tight.matches)

/**
 * Whether lists are shown as cards, because a table would hide essentials: below 768 pixels, as a 1280-pixel screen
 * has at 200 % zoom.
 */
export const useCardWidth = (): boolean => useSyncExternalStore(cardWidth.subscribe, cardWidth.matches)

/** Whether the main pointer is a finger, as on a phone, whose keyboard has no Shift+Enter. */
export const useTouch = (): boolean => useSyncExternalStore(touch.subscribe, touch.matches)

/** Media queries, each shared by all components. */
const narrow = watched('(width <= 600px)')
const compact = watched('(width <= 1100px)')
const tight = watched('(width < 1024px)')
const cardWidth = watched('(width < 768px)')
const touch = watched('(pointer: coarse)')

/** A media query as an external store: its current match and a subscription to changes. */
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
