import { type RefObject, useEffect, useState } from 'react'

/** Returns a function that focuses the first invalid field in an element after the next render. */
export function useLeadToWrong(box: RefObject<HTMLElement | null>): () => void {
  const [requests, setRequests] = useState(0)
  useEffect(() => {
    if (requests > 0) box.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [requests, box])
  return () => setRequests((before) => before + 1)
}
