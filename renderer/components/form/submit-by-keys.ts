import type { KeyboardEvent } from 'react'

/**
 * Submits a form at Ctrl or Cmd and Enter, wherever in it they are pressed. Presses of a dialog that stands over the form reach
 * it too, for React; they are not meant.
 */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, nativeEvent, target, currentTarget } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || nativeEvent.isComposing) return
  if (!(target instanceof Node && currentTarget.contains(target))) return
  event.preventDefault()
  currentTarget.requestSubmit()
}
