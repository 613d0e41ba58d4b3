import { flushSync } from 'react-dom'

/** Finds a place for the focus. */
type Place = () => Element | false | null | undefined

/**
 * Makes a change that takes away or disables what has the focus, and leads the focus to its next place, the first of `places`
 * that is there once the page is drawn again: the browser itself would leave it nowhere.
 */
export function focusAfter(change: () => void, ...places: readonly Place[]): void {
  flushSync(change)
  focusFirst(...places)
}

/** Leads the focus to the first of these places that is there. */
export function focusFirst(...places: readonly Place[]): void {
  for (const find of places) {
    const place = find()
    if (!(place instanceof HTMLElement)) continue
    place.focus()
    return
  }
}

/** Whether nothing has the focus: what had it is gone, and nobody else has taken it. */
export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body
