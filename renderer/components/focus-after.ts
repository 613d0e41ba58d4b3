import { flushSync } from 'react-dom'

/** Finds an element to focus. */
type Place = () => Element | false | null | undefined

/**
 * Applies a change that removes or disables the focused element, then focuses the first of `places` that exists after
 * the re-render. Browsers would leave nothing focused.
 */
export function focusAfter(change: () => void, ...places: readonly Place[]): void {
  flushSync(change)
  focusFirst(...places)
}

/** Focuses the first of these elements that exists. */
export function focusFirst(...places: readonly Place[]): void {
  for (const find of places) {
    const place = find()
    if (!(place instanceof HTMLElement)) continue
    place.focus()
    return
  }
}

/** Whether no element has focus. */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body
