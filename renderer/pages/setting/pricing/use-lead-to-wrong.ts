import { type RefObject, useEffect, useState } from 'react'

/** A function that leads to the first field within a place that is wrong, once it stands there. */
export function useLeadToWrong(place: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, place])
  return () => setAsked((before) => before + 1)
}
