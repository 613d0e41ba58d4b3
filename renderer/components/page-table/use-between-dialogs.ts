import { useEffect, useState } from 'react'

/**
 * A value that changes only while no dialog is open: rotating a phone would otherwise unmount the dialog with its
 * owner.
 */
export function useBetweenDialogs<T>(wanted: T): T {
  const [taken, setTaken] = useState(wanted)
  useEffect(() => {
    if (taken === wanted) return
    const look = () => {
      if (!document.querySelector('[role=dialog], [role=alertdialog]')) setTaken(wanted)
    }
    look()
    // Dialogs are rendered in portals, which are children of the body.
    const observer = new MutationObserver(look)
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [wanted, taken])
  return taken
}
