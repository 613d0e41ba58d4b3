import { useCallback, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom'
import type { ModelOrder } from './priced-model.ts'

export const orders = ['usual', 'name', 'cheap', 'dear'] as const satisfies ModelOrder[]

/** The page's state, stored in its address; empty texts mean no search, the reader's own group, and all makers. */
export type Shown = Readonly<{
  typed: string
  group: string
  vendor: string
  order: ModelOrder
  /** The model whose cost is estimated; empty if not yet named, undefined if the drawer is closed. */
  cost: string | undefined
}>

/**
 * The page's state and its setter. It is React state, because the address would update too slowly while typing. The
 * address follows it without history entries; navigation sets the state from the address.
 */
export function useShown(): [Shown, (change: Partial<Shown>) => void] {
  const [search, setSearch] = useSearchParams()
  const { key } = useLocation()
  const isOwn = useNavigationType() === 'REPLACE'
  const [shown, setShown] = useState(() => shownIn(search))
  const [seen, setSeen] = useState(key)
  if (seen !== key) {
    setSeen(key)
    if (!isOwn) setShown(shownIn(search))
  }
  const change = useCallback(
    (part: Partial<Shown>) => {
      const next = { ...shown, ...part }
      setShown(next)
      setSearch(searchOf(next), { replace: true })
    },
    [shown, setSearch],
  )
  return [shown, change]
}

function shownIn(search: URLSearchParams): Shown {
  const order = orders.find((one) => one === search.get('sort')) ?? 'usual'
  return {
    typed: search.get('q') ?? '',
    group: search.get('group') ?? '',
    vendor: search.get('vendor') ?? '',
    order,
    cost: search.get('cost') ?? undefined,
  }
}

function searchOf({ typed, group, vendor, order, cost }: Shown): URLSearchParams {
  const search = new URLSearchParams()
  const parts = { q: typed, group, vendor, sort: order === 'usual' ? '' : order }
  for (const [name, value] of Object.entries(parts)) if (value !== '') search.set(name, value)
  if (cost !== undefined) search.set('cost', cost)
  return search
}
