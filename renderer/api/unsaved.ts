import { useEffect } from 'react'

/** Marks the page as having unsaved input while `isDirty`. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    held += 1
    return () => {
      held -= 1
    }
  }, [isDirty])
}

export const hasUnsaved = (): boolean => held > 0

/** Number of unsaved forms on the page. */
let held = 0
