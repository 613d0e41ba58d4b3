import { useMemo } from 'react'
import type { Sorting } from './list-view.ts'

/** The sorting of a list whose filter stores the order in `sort`. */
export function useSorting<Filter extends Readonly<{ sort: string }>>(
  filter: Filter,
  setFilter: (next: Filter) => void,
): Sorting {
  return useMemo(() => ({ order: filter.sort, sortBy: (sort) => setFilter({ ...filter, sort }) }), [filter, setFilter])
}
