import { useSyncExternalStore } from 'react'

/** Whether the window has no room for settings beside the conversation: less than 1024 pixels. */
export const useStacked = (): boolean => useSyncExternalStore(stacked.subscribe, stacked.matches)

/** Whether it has no room for the words of all buttons beside the title. */
export const useCrowded = (): boolean => useSyncExternalStore(crowded.subscribe, crowded.matches)

const stacked = watched('(width < 1024px)')
const crowded = watched('(width < 1120px)')

function watched(condition: string) {
  const query = window.matchMedia(condition)
  return {
    matches: () => query.matches,
    subscribe(listener: () => void) {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}
