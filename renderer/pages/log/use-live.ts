import { useState, useSyncExternalStore } from 'react'
import type { ShowingLog } from './use-shown-log.ts'

/** How often the log is read again while it is followed. */
const EVERY_MS = 4000

/** Whether the log is followed, and whether that waits for what is being read. */
export type Live = Readonly<{
  isOn: boolean
  isPaused: boolean
  /** How often to read, in milliseconds; false for not by itself. */
  everyMs: number | false
  set(isOn: boolean): void
}>

/**
 * Follows the log: new rows come to the top of the first page every few seconds, while the page is in sight. What somebody
 * reads stays where it is: it waits on other pages, while a row or a menu is open, and while text is selected.
 */
export function useLive({ place, open }: Pick<ShowingLog, 'place' | 'open'>, hasMenu: boolean): Live {
  const [isOn, setOn] = useState(false)
  const isSelecting = useSyncExternalStore(onSelection, hasSelection)
  const isPaused = isOn && (place.index > 0 || open.length > 0 || hasMenu || isSelecting)
  return { isOn, isPaused, everyMs: isOn && !isPaused && EVERY_MS, set: setOn }
}

const hasSelection = (): boolean => document.getSelection()?.isCollapsed === false

function onSelection(listener: () => void): () => void {
  document.addEventListener('selectionchange', listener)
  return () => document.removeEventListener('selectionchange', listener)
}
