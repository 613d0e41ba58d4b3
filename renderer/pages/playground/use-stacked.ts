import { useSyncExternalStore } from 'react'

/** Whether the window has no room for settings beside the conversation: less than 1024 pixels. */
export const useStacked = (): boolean => useSyncExternalStore(onResize, () => stacked.matches)

const stacked = window.matchMedia('(width < 1024px)')

function onResize(listener: () => void): () => void {
  stacked.addEventListener('change', listener)
  return () => stacked.removeEventListener('change', listener)
}
