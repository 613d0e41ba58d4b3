import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import * as z from 'zod/mini'
import type { ApiCall } from '../../shared/api/call.ts'
import type { SendOptions } from './client.ts'
import { useStored } from './stored.ts'
import { areaOf } from './use-call.ts'
import { usePolled } from './use-polled.ts'

/** The page sizes; the choice is stored for all lists (docs/reference/api.md#paging). */
export const pageSizes = [10, 20, 50, 100] as const
const DEFAULT_SIZE = 50
/** Any other stored size is ignored. */
const pageSize = z.literal(pageSizes)

export function usePageSize(): [size: number, choose: (size: number) => void] {
  const [stored, store] = useStored('page-size', pageSize)
  return [stored ?? DEFAULT_SIZE, (size) => store(pageSize.parse(size))]
}

export const isPageSize = (size: number | undefined): size is number => pageSize.safeParse(size).success

export type PagePosition = Pick<Page<unknown>, 'index' | 'size' | 'turnTo' | 'resize'> &
  Readonly<{
    /** Called if the current page does not exist, or no longer does. */
    fallBackTo(index: number): void
  }>

/** One page of a list and the list's total; `isMore` if the count stopped at `total`. */
export type PageRows<Row> = Readonly<{ rows: readonly Row[]; total: number; isMore?: boolean }>

export type Page<Row> = Readonly<{
  rows: readonly Row[]
  total: number
  /** There are more rows than `total`, and a next page. */
  isMore: boolean
  /** From 0. */
  index: number
  size: number
  /** Users cannot choose the size of this list. */
  hasFixedSize?: boolean
  turnTo(index: number): void
  /** Sets the size for all lists and returns to the first page. */
  resize(size: number): void
  isLoading: boolean
  isTurning: boolean
  /** Localized reason why the list could not be loaded; rows loaded earlier stay. */
  error: Error | null
  /** When the rows were loaded, in unix milliseconds; 0 if there are none. */
  loadedAt: number
  retry(): void
}>

/** A list request: filter, 0-based page index, page size and send options. The list itself shows failures. */
export type PageQuery<Filter> = Readonly<{ filter: Filter; index: number; size: number; manner: SendOptions }>

/** A paged list, refreshed like every read of the call's area. A new filter starts at the first page. */
export const usePage = <Row, Filter>(
  call: ApiCall,
  filter: Filter,
  cut: (query: PageQuery<Filter>) => Promise<PageRows<Row>>,
): Page<Row> => usePageAt(call, { filter, position: useLocalPosition(filter) }, cut)

/** The query of a list whose page is stored by its owner, for example in the address. */
type StoredPageQuery<Filter> = Readonly<{
  filter: Filter
  position: PagePosition
  /** Refresh interval in milliseconds while the page is visible; false for never. */
  everyMs?: number | false
}>

export function usePageAt<Row, Filter>(
  call: ApiCall,
  { filter, position, everyMs = false }: StoredPageQuery<Filter>,
  cut: (query: PageQuery<Filter>) => Promise<PageRows<Row>>,
): Page<Row> {
  const { index, size, turnTo, resize, fallBackTo } = position
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
    // Turning to the current page retries it.
    turnTo: (next) => (next === index ? void query.refetch() : turnTo(next)),
    resize,
    isLoading: query.isLoading,
    isTurning: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
  }
}

function useLocalPosition(filter: unknown): PagePosition {
  const [size, choose] = usePageSize()
  const [position, setTurned] = useState({ filter, index: 0 })
  const turnTo = (index: number) => setTurned({ filter, index })
  return {
    index: position.filter === filter ? position.index : 0,
    size,
    turnTo,
    fallBackTo: turnTo,
    resize: (next) => {
      turnTo(0)
      choose(next)
    },
  }
}

type ShownPage<Row> = Readonly<{ page: PageRows<Row>; index: number; size: number; at: number }>

/** The query's data; after a failure, the rows displayed last, of any page or filter. */
function useShown<Row>(query: UseQueryResult<PageRows<Row>>, index: number, size: number): ShownPage<Row> {
  const { data, isPlaceholderData, dataUpdatedAt: at } = query
  const [last, setLast] = useState<ShownPage<Row>>()
  if (!data) return query.isError && last ? last : { page: emptyPage, index, size, at: 0 }
  // The previous page's rows stay until the new ones have loaded.
  if (isPlaceholderData && last) return { ...last, page: data }
  const shown = { page: data, index, size, at: isPlaceholderData ? 0 : at }
  if (!isPlaceholderData && (last?.page !== data || last.at !== at)) setLast(shown)
  return shown
}

const emptyPage = { rows: [], total: 0 } as const
