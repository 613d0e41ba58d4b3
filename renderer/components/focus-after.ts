import { flushSync } from 'react-dom'

type Place = () => Element | false | null | undefined

/**
 * Applies a change that removes or disables the focused element, then focuses the first of `places` that exists after
 * the re-render. Browsers would leave nothing focused.
 */
export function focusAfter(change: () => void, ...places: readonly Place[]): void {
  flushSync(change)
  focusFirst(...places)
}

export function focusFirst(...places: readonly Place[]): void {
  for (const find of places) {
    const place = find()
    if (!(place instanceof HTMLElement)) continue
    place.focus()
    return
  }
}

export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body
