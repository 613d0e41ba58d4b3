import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { ApiCall } from '../../shared/api/call.ts'
import type { SendOptions } from './client.ts'
import { useStored } from './stored.ts'
import { areaOf } from './use-call.ts'
import { usePolled } from './use-polled.ts'

/** The sizes a list may be cut into; the choice is remembered for all lists (docs/reference/api.md#paging). */
export const pageSizes = [10, 20, 50, 100] as const
/** A stored size that is none of these counts as none. */
const pageSize = z.literal(pageSizes)

/** How many rows a page has, as chosen last for any list, and how another size is chosen. */
export function usePageSize(): [size: number, choose: (size: number) => void] {
  const [stored, store] = useStored('page-size', pageSize)
  return [stored ?? pageSizes[0], (size) => store(pageSize.parse(size))]
}

/** Whether a list may be cut into pages of that size. */
export const isPageSize = (size: number | undefined): size is number => pageSize.safeParse(size).success

/** Which page a list stands at, and the ways to another one. */
export type Place = Pick<Page<unknown>, 'index' | 'size' | 'turnTo' | 'resize'> &
  Readonly<{
    /** To a page instead of this one, which there is not, or no longer. */
    fallBackTo(index: number): void
  }>

/** One page of a list and the total it was cut from; `isMore` where nobody has counted further. */
export type PageRows<Row> = Readonly<{ rows: readonly Row[]; total: number; isMore?: boolean }>

/** What a list shows and how to turn its pages; pages count from 0. */
export type Page<Row> = Readonly<{
  /** The rows of this page. */
  rows: readonly Row[]
  /** Rows in the whole list. */
  total: number
  /** There are more than `total`, and another page after this one. */
  isMore: boolean
  /** Which page, from 0. */
  index: number
  /** Rows on a page. */
  size: number
  /** The size of this list is not for people to choose. */
  hasFixedSize?: boolean
  turnTo(index: number): void
  /** Sets the size for all lists, now and later, and goes back to the first page. */
  resize(size: number): void
  /** Nothing has arrived yet. */
  isLoading: boolean
  /** Another page is on its way; the rows are those of the one before. */
  isTurning: boolean
  /** Why the list could not be loaded, in words for people; rows that were loaded before stay. */
  error: Error | null
  /** When the rows were loaded, in unix milliseconds; 0 while there are none. */
  loadedAt: number
  retry(): void
}>

/** The filter, a 0-based page index and a page size: what a list is asked for, and how: the list itself tells of a failure. */
export type PageQuery<Filter> = Readonly<{ filter: Filter; index: number; size: number; manner: SendOptions }>

/** A list page by page, refreshed like every reading of the call's area. A new filter starts at the first page. */
export const usePage = <Row, Filter>(
  call: ApiCall,
  filter: Filter,
  cut: (query: PageQuery<Filter>) => Promise<PageRows<Row>>,
): Page<Row> => usePageAt(call, { filter, place: useOwnPlace(filter) }, cut)

/** What a list is asked for where the page itself keeps its place: in its address, say. */
type Standing<Filter> = Readonly<{
  filter: Filter
  place: Place
  /** How often the page is read again by itself, in milliseconds; false for never. Only while it is in sight. */
  everyMs?: number | false
}>

/** A list page by page whose place is kept by who shows it. */
export function usePageAt<Row, Filter>(
  call: ApiCall,
  { filter, place, everyMs = false }: Standing<Filter>,
  cut: (query: PageQuery<Filter>) => Promise<PageRows<Row>>,
): Page<Row> {
  const { index, size, turnTo, resize, fallBackTo } = place
  const query = usePolled({
    queryKey: [areaOf(call), call.path, filter, index, size],
    read: (manner) => cut({ filter, index, size, manner }),
    placeholderData: keepPreviousData,
    everyMs,
  })
  const shown = useShown(query, index, size)
  const { rows, total, isMore = false } = shown.page
  const last = isMore && rows.length > 0 ? index : Math.max(0, Math.ceil(total / size) - 1)
  const isBeyond = query.isSuccess && !query.isPlaceholderData && index > last
  useLayoutEffect(() => {
    if (isBeyond) fallBackTo(last)
  })
  return {
    rows,
    total,
    isMore,
    index: shown.index,
    size: shown.size,
    loadedAt: shown.at,
    // The page that could not be loaded is asked for once more.
    turnTo: (next) => (next === index ? void query.refetch() : turnTo(next)),
    resize,
    isLoading: query.isLoading,
    isTurning: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

/** The place of a list whose page nobody else need know. */
function useOwnPlace(filter: unknown): Place {
  const [size, choose] = usePageSize()
  const [turned, setTurned] = useState({ filter, index: 0 })
  const turnTo = (index: number) => setTurned({ filter, index })
  return {
    index: turned.filter === filter ? turned.index : 0,
    size,
    turnTo,
    fallBackTo: turnTo,
    resize: (next) => {
      turnTo(0)
      choose(next)
    },
  }
}

/** Rows with their place in the list, and when they were loaded. */
type Shown<Row> = Readonly<{ page: PageRows<Row>; index: number; size: number; at: number }>

/** What the query has; after a failure what was shown before it, whichever page or filter that was of. */
function useShown<Row>(query: UseQueryResult<PageRows<Row>>, index: number, size: number): Shown<Row> {
  const { data, isPlaceholderData, dataUpdatedAt: at } = query
  const [last, setLast] = useState<Shown<Row>>()
  if (!data) return query.isError && last ? last : { page: nothing, index, size, at: 0 }
  // The rows of the page before stay what they are until those of this one are here.
  if (isPlaceholderData && last) return { ...last, page: data }
  const shown = { page: data, index, size, at: isPlaceholderData ? 0 : at }
  if (!isPlaceholderData && (last?.page !== data || last.at !== at)) setLast(shown)
  return shown
}

const nothing = { rows: [], total: 0 } as const
