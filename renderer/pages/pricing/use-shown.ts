import { useCallback, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom'
import type { ModelOrder } from './priced-model.ts'

/** The orders to choose from. */
export const orders = ['usual', 'name', 'cheap', 'dear'] as const satisfies ModelOrder[]

/** What the page shows, as its address says it; empty texts stand for all, the own group, and no drawer. */
export type Shown = Readonly<{
  typed: string
  group: string
  vendor: string
  order: ModelOrder
  /** The model whose cost is asked for; empty for one that is yet to be named, undefined while nothing is asked. */
  cost: string | undefined
}>

/**
 * What is shown, and how it is changed. It is kept here, for an address follows too late for who types; the address says the same
 * without a step of the history for each letter, and is obeyed when somebody comes by it.
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
