import { useIsFetching } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useHasPage } from './first-page.ts'

/** Calls `fetch` once the page has loaded its code and data and has been idle for a second. */
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
