import { type RefObject, useEffect, useState } from 'react'

/** Returns a function that focuses the first invalid field in an element after the next render. */
export function useLeadToWrong(place: RefObject<HTMLElement | null>): () => void {
  const [asked, setAsked] = useState(0)
  useEffect(() => {
    if (asked > 0) place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [asked, place])
  return () => setAsked((before) => before + 1)
}
