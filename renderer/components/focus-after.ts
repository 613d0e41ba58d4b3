import { flushSync } from 'react-dom'

type FindTarget = () => Element | false | null | undefined

/**
 * Applies a change that removes or disables the focused element, then focuses the first of `targets` that exists after
 * the re-render. Browsers would leave nothing focused.
 */
export function focusAfter(change: () => void, ...targets: readonly FindTarget[]): void {
  flushSync(change)
  focusFirst(...targets)
}

export function focusFirst(...targets: readonly FindTarget[]): void {
  for (const find of targets) {
    const target = find()
    if (!(target instanceof HTMLElement)) continue
    target.focus()
    return
  }
}

export const isFocusFree = (): boolean => document.activeElement === null || document.activeElement === document.body
