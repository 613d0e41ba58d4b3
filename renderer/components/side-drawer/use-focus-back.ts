import { Classes } from '@blueprintjs/core'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'

/**
 * Gives the focus back to what had it when this was first drawn, once it is gone; nothing where somebody else has taken it by
 * then. Blueprint gives it back when an overlay is shut, not when it is taken away.
 */
export function useFocusBack(): void {
  const [from] = useState(whereFrom)
  useEffect(
    () => () => {
      const isFree = document.activeElement === null || document.activeElement === document.body
      if (isFree && from instanceof HTMLElement && from.isConnected) from.focus()
    },
    [from],
  )
}

/** A menu is gone by then: its button stands for what was chosen in it. */
function whereFrom(): Element | null {
  const focused = document.activeElement
  if (!focused?.closest('[role=menu]')) return focused
  return document.querySelector('[aria-haspopup=menu][aria-expanded=true]')
}

/**
 * Leads the focus back to the field that had it where something outside took it while the drawer opened, such as the menu it
 * was chosen from, which gives the focus back to its button. Blueprint leads it to the edge of the overlay then.
 */
export function useHeldFocus(box: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const within = (place: EventTarget | null) => place instanceof Node && box.current?.contains(place)
    let last = within(document.activeElement) ? document.activeElement : null
    const look = ({ target, relatedTarget }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return
      if (within(target)) last = target
      const isEdge = target.classList.contains(Classes.OVERLAY_START_FOCUS_TRAP)
      const isOurs = target.parentElement?.contains(box.current) ?? false
      if (isEdge && isOurs && !within(relatedTarget) && last instanceof HTMLElement) last.focus()
    }
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [box])
}
