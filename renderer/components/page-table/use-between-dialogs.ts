import { useEffect, useState } from 'react'

/**
 * A value that changes only while no dialog is open: what a dialog belongs to would go, and it with it, when a phone is
 * turned round in the middle of it.
 */
export function useBetweenDialogs<T>(wanted: T): T {
  const [taken, setTaken] = useState(wanted)
  useEffect(() => {
    if (taken === wanted) return
    const look = () => {
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setTaken(wanted)
    }
    look()
    // Dialogs stand in portals, which are children of the body.
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [wanted, taken])
  return taken
}
