import { Classes } from '@blueprintjs/core'
import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { useMenu } from '../use-menu.ts'

export const goKey = 'g'

/** Opens a menu page when `g` and its key are pressed in sequence; not while typing, nor under a dialog. */
export function usePageKeys(): void {
  const menu = useMenu()
  const navigate = useNavigate()
  useEffect(() => {
    let goneAt = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if (isElsewhere(event)) return
      const page = menu.flat().find((one) => one.menu.key === event.key)
      const isSecond = event.timeStamp - goneAt < timeoutMs
      goneAt = event.key === goKey ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (!isSecond || !page) return
      event.preventDefault()
      void navigate(page.path)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [menu, navigate])
}

/** Milliseconds within which the second key must follow `g`. */
const timeoutMs = 1500

/** Whether the key is meant for something else: a field, an editable text, a key combination, or an overlay. */
function isElsewhere({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || document.body.classList.contains(Classes.OVERLAY_OPEN)) return true
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
}
