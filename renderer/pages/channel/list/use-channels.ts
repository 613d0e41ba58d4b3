import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import * as z from 'zod/mini'
import { type ChannelSort, type ChannelView, channel, type channelTroubles } from '../../../../shared/api/channel.ts'
import { send, sendWhole } from '../../../api/client.ts'
import { useStored } from '../../../api/stored.ts'
import { areaOf } from '../../../api/use-call.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../../api/use-page.ts'
import { byTag, type Row } from './row.ts'

/** The search and the order; empty texts, a negative type and a status of 0 do not filter. */
export type ChannelFilter = Readonly<{
  keyword: string
  model: string
  group: string
  type: number
  status: number
  trouble: '' | (typeof channelTroubles)[number]
  sort: NonNullable<ChannelSort>
}>

export const noFilter: ChannelFilter = {
  keyword: '',
  model: '',
  group: '',
  type: -1,
  status: 0,
  trouble: '',
  sort: '',
}

export const isFiltered = (filter: ChannelFilter): boolean =>
  isSearch(filter) || filter.type >= 0 || filter.status > 0 || filter.trouble !== ''

/**
 * List modes; each is stored in the browser (docs/reference/screens.md#channels,
 * docs/reference/screens.md#local-storage).
 */
export type ListMode = Readonly<{ idSort: boolean; tagMode: boolean; batchMode: boolean }>

export function useListMode(): ListMode & Readonly<{ turn: (change: Partial<ListMode>) => void }> {
  const [idSort = false, storeIdSort] = useStored('id-sort', flag)
  const [tagMode = false, storeTagMode] = useStored('enable-tag-mode', flag)
  const [batchMode = false, storeBatchMode] = useStored('enable-batch-delete', flag)
  const turn = (change: Partial<ListMode>) => {
    if (change.idSort !== undefined) storeIdSort(change.idSort)
    if (change.tagMode !== undefined) storeTagMode(change.tagMode)
    if (change.batchMode !== undefined) storeBatchMode(change.batchMode)
  }
  return { idSort, tagMode, batchMode, turn }
}

export function useChannels(filter: ChannelFilter, { idSort, tagMode }: ListMode): Page<Row> {
  const wanted = useMemo(() => ({ ...filter, idSort, tagMode }), [filter, idSort, tagMode])
  return usePage(channel.list, wanted, cutChannels)
}

export const useTypeCounts = (): UseQueryResult<Record<string, number>> =>
  useQuery({
    queryKey: [areaOf(channel.list), 'type-counts'],
    queryFn: async ({ signal }) => {
      const query = { p: 0, page_size: 1, id_sort: false, tag_mode: false, type: -1, status: 0 }
      const { extras } = await sendWhole(channel.list, { query }, { quiet: true, signal })
      return extras.type_counts
    },
  })

/** Stored as bare `true` or `false`. */
const flag = z.boolean()

type ChannelQuery = ChannelFilter & Pick<ListMode, 'idSort' | 'tagMode'>

const isSearch = ({ keyword, model, group }: ChannelFilter): boolean => keyword !== '' || model !== '' || group !== ''

/**
 * Reads one page of channels. A search returns all matches at once; they are filtered by type and status, and paged,
 * here.
 */
async function cutChannels({ filter, index, size, manner }: PageQuery<ChannelQuery>): Promise<PageRows<Row>> {
  const { type, status, trouble, sort, idSort: id_sort, tagMode: tag_mode } = filter
  if (!isSearch(filter)) {
    const query = { p: index, page_size: size, id_sort, tag_mode, type, status, trouble, sort }
    const { data, extras } = await sendWhole(channel.list, { query }, manner)
    return { rows: tag_mode ? byTag(data) : data, total: extras.total }
  }
  const { keyword, model, group } = filter
  const found = await send(
    channel.search,
    { query: { keyword, model, group, id_sort, tag_mode, trouble, sort } },
    manner,
  )
  const fits = (row: ChannelView) => (type < 0 || row.type === type) && (status === 0 || row.status === status)
  const rows: readonly Row[] = tag_mode ? byTag(found.filter(fits)) : found.filter(fits)
  return { rows: rows.slice(index * size, (index + 1) * size), total: rows.length }
}
