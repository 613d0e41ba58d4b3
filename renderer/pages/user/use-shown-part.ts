import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isPageSize, type PagePosition, usePageSize } from '../../api/use-page.ts'
import { addressOf, readAddress, type ShownPart, type UserFilter } from './user-address.ts'

/**
 * The part of the list in the address, and functions that change it; each change except `fallBackTo` is a history
 * entry.
 */
type ShowingPart = Readonly<{
  filter: UserFilter
  position: PagePosition
  narrow(filter: UserFilter): void
}>

export function useShownPart(): ShowingPart {
  const [search, setSearch] = useSearchParams()
  const [storedSize, storeSize] = usePageSize()
  const { filter, index, size } = useMemo(() => readAddress(search), [search])
  const { keyword, group, role, status, sort } = filter
  const go = (change: Partial<ShownPart>, replace = false) => {
    const next = addressOf({ filter, index, size, ...change })
    // Adds no history entry if nothing changes.
    if (next.toString() !== search.toString()) setSearch(next, { replace })
  }
  const position: PagePosition = {
    index,
    size: isPageSize(size) ? size : storedSize,
    turnTo: (next) => go({ index: next }),
    fallBackTo: (next) => go({ index: next }, true),
    resize: (next) => {
      storeSize(next)
      go({ index: 0, size: next })
    },
  }
  return {
    // Referentially stable while unchanged.
    filter: useMemo(() => ({ keyword, group, role, status, sort }), [keyword, group, role, status, sort]),
    position,
    narrow: (next) => go({ filter: next, index: 0 }),
  }
}
