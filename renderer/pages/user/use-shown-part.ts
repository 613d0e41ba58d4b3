import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isPageSize, type Place, usePageSize } from '../../api/use-page.ts'
import { addressOf, readAddress, type ShownPart, type UserFilter } from './user-address.ts'

/** The part of the list in the address, and the ways to another one: each is a step that the browser's Back undoes. */
type ShowingPart = Readonly<{
  filter: UserFilter
  place: Place
  /** Shows what fits, from the first page on. */
  narrow(filter: UserFilter): void
}>

/** Reads from the address what of the list is seen. */
export function useShownPart(): ShowingPart {
  const [search, setSearch] = useSearchParams()
  const [storedSize, storeSize] = usePageSize()
  const { filter, index, size } = useMemo(() => readAddress(search), [search])
  const { keyword, group, role, status } = filter
  const go = (change: Partial<ShownPart>, replace = false) => {
    const next = addressOf({ filter, index, size, ...change })
    // What is shown already is no step to go back by.
    if (next.toString() !== search.toString()) setSearch(next, { replace })
  }
  const place: Place = {
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
    // Another one only where something in it changes: what is being typed depends on it.
    filter: useMemo(() => ({ keyword, group, role, status }), [keyword, group, role, status]),
    place,
    narrow: (next) => go({ filter: next, index: 0 }),
  }
}
