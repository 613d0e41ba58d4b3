import { useEffect } from 'react'

/** Tells that the page holds what somebody entered and nobody has saved, while `isDirty`. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    held += 1
    return () => {
      held -= 1
    }
  }, [isDirty])
}

/** Whether leaving the page would lose something that was entered. */
export const hasUnsaved = (): boolean => held > 0

/** How many forms of the page are unsaved. */
let held = 0
