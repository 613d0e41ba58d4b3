import { useEffect } from 'react'

/** Marks the page as having unsaved input while `isDirty`. */
export function useUnsaved(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    count += 1
    return () => {
      count -= 1
    }
  }, [isDirty])
}

export const hasUnsaved = (): boolean => count > 0

let count = 0
