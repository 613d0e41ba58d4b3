import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { LogSort } from '../../../shared/api/log.ts'
import { isPageSize, type PagePosition, usePageSize } from '../../api/use-page.ts'
import type { Sorting } from '../../components/page-table/page-table.tsx'
import { addressOf, readAddress, type ShownLog } from './log-address.ts'
import { defaultFilter, type LogFilter } from './log-filter.ts'

/** The view in the address, and functions that change it; each change except `fallBackTo` is a history entry. */
export type ShowingLog = Readonly<{
  filter: LogFilter
  open: readonly string[]
  position: PagePosition
  sorting: Sorting & Readonly<{ order: LogSort }>
  /** Shows the first page of a filter, with no row open. */
  narrow(filter: LogFilter): void
  /** Finds and opens one entry of any date. */
  find(requestId: string): void
  toggle(key: string): void
}>

/** Parses the view from the address; an unchanged filter is referentially stable. */
export function useShownLog(): ShowingLog {
  const [search, setSearch] = useSearchParams()
  const [storedSize, storeSize] = usePageSize()
  const { sort, index, size: wantedSize, open } = useMemo(() => readAddress(search), [search])
  const filter = useSteadyFilter(search)
  const go = useCallback(
    (change: Partial<ShownLog>, replace = false) => {
      const next = addressOf({ ...readAddress(search), ...change })
      // Adds no history entry if nothing changes.
      if (next.toString() !== search.toString()) setSearch(next, { replace })
    },
    [search, setSearch],
  )
  const toggle = useCallback(
    (key: string) => go({ open: open.includes(key) ? open.filter((one) => one !== key) : [...open, key] }),
    [go, open],
  )
  const position: PagePosition = {
    index,
    size: isPageSize(wantedSize) ? wantedSize : storedSize,
    turnTo: (next) => go({ index: next, open: [] }),
    fallBackTo: (next) => go({ index: next }, true),
    resize: (next) => {
      storeSize(next)
      go({ index: 0, size: next, open: [] })
    },
  }
  const sorting = useMemo(
    // The headings offer only the orders in `LogSort`.
    () => ({ order: sort, sortBy: (order: string) => go({ sort: order as LogSort, index: 0, open: [] }) }),
    [sort, go],
  )
  return {
    filter,
    open,
    position,
    sorting,
    narrow: (next) => go({ filter: next, index: 0, open: [] }),
    find: (requestId) => go({ filter: { ...defaultFilter(), requestId }, sort: '', index: 0, open: [requestId] }),
    toggle,
  }
}

/**
 * The filter in the address; referentially stable while unchanged, because any new object resets what is being typed.
 */
function useSteadyFilter(search: URLSearchParams): LogFilter {
  const narrowing = new URLSearchParams(search)
  for (const name of ['page', 'size', 'open', 'sort']) narrowing.delete(name)
  const text = narrowing.toString()
  return useMemo(() => readAddress(new URLSearchParams(text)).filter, [text])
}
