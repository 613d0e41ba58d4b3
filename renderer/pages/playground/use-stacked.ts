import { useSyncExternalStore } from 'react'

/** Whether the window has no room for settings beside the conversation: less than 1024 pixels. */
export const useStacked = (): boolean => useSyncExternalStore(onResize, isStacked)

const stacked = window.matchMedia('(width < 1024px)')
const isStacked = (): boolean => stacked.matches

function onResize(listener: () => void): () => void {
  stacked.addEventListener('change', listener)
  return () => stacked.removeEventListener('change', listener)
}
