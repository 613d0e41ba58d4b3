import type { KeyboardEvent } from 'react'

/**
 * Submits a form on Ctrl or Cmd with Enter. Ignores key presses in a dialog over the form, which React also bubbles
 * to it.
 */
export function submitByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, ctrlKey, metaKey, nativeEvent, target, currentTarget } = event
  if (key !== 'Enter' || !(ctrlKey || metaKey) || nativeEvent.isComposing) return
  if (!(target instanceof Node && currentTarget.contains(target))) return
  event.preventDefault()
  currentTarget.requestSubmit()
}
