import { useSyncExternalStore } from 'react'

/** Whether the window has no room for settings beside the conversation: less than 1024 pixels, or 1240 beside two lanes. */
export const useStacked = (isComparing: boolean): boolean => {
  const { subscribe, matches } = isComparing ? two : one
  return useSyncExternalStore(subscribe, matches)
}

const one = watched('(width < 1024px)')
const two = watched('(width < 1240px)')

function watched(text: string) {
  const query = window.matchMedia(text)
  return {
    matches: () => query.matches,
    subscribe: (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}
