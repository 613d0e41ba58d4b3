import { useMemo } from 'react'
import type { Sorting } from './list-view.ts'

/** The order of a list whose filter has it as `sort`. */
export function useSorting<Filter extends Readonly<{ sort: string }>>(
  filter: Filter,
  setFilter: (next: Filter) => void,
): Sorting {
  return useMemo(() => ({ order: filter.sort, sortBy: (sort) => setFilter({ ...filter, sort }) }), [filter, setFilter])
}
