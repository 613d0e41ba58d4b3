import { useState, useSyncExternalStore } from 'react'
import type { ShowingLog } from './use-shown-log.ts'

/** Milliseconds between refreshes in live mode. */
const EVERY_MS = 4000

/** Whether live mode is on, and whether it is paused. */
export type Live = Readonly<{
  isOn: boolean
  isPaused: boolean
  /** Refresh interval in milliseconds; false for none. */
  everyMs: number | false
  set(isOn: boolean): void
}>

/**
 * Live mode: new rows appear at the top of the list's first page every few seconds while the console is visible. Pauses
 * on later pages of the list, while a row or a menu is open, and while text is selected, so that nothing moves while
 * being read.
 */
export function useLive({ position, open }: Pick<ShowingLog, 'position' | 'open'>, hasMenu: boolean): Live {
  const [isOn, setOn] = useState(false)
  const isSelecting = useSyncExternalStore(onSelection, hasSelection)
  const isPaused = isOn && (position.index > 0 || open.length > 0 || hasMenu || isSelecting)
  return { isOn, isPaused, everyMs: isOn && !isPaused && EVERY_MS, set: setOn }
}

const hasSelection = (): boolean => document.getSelection()?.isCollapsed === false

function onSelection(listener: () => void): () => void {
  document.addEventListener('selectionchange', listener)
  return () => document.removeEventListener('selectionchange', listener)
}
