import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useHasPage } from './first-page.ts'

/** Calls `fetch` each time the page is there and has had what it asked for, for a second: what it gets is in nobody's way. */
export function useQuiet(fetch: () => void): void {
  const isFetching = useIsFetching() > 0
  const isBusy = !useHasPage() || isFetching
  useEffect(() => {
    if (isBusy) return
    const timer = setTimeout(fetch, quietMs)
    return () => clearTimeout(timer)
  }, [fetch, isBusy])
}

const quietMs = 1000
