import { useSyncExternalStore } from 'react'
import { watched } from '../../components/use-narrow.ts'

/** Whether the window has no room for settings beside the conversation: less than 1024 pixels, or 1240 beside two lanes. */
export const useStacked = (isComparing: boolean): boolean => {
  const { subscribe, matches } = isComparing ? two : one
  return useSyncExternalStore(subscribe, matches)
}

const one = watched('(width < 1024px)')
const two = watched('(width < 1240px)')
