import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { type LogSort, log } from '../../../shared/api/log.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { type Page, type PagePosition, type PageQuery, type PageRows, usePageAt } from '../../api/use-page.ts'
import { usePolled } from '../../api/use-polled.ts'
import { type ChannelNames, entryOf, type LogEntry } from './log-facts.ts'
import { allQuery, type LogFilter, ownQuery } from './log-filter.ts'

type SortedFilter = LogFilter & Readonly<{ sort: LogSort }>
type LogQuery = Readonly<{ filter: SortedFilter; position: PagePosition; everyMs: number | false }>

/** The usage log by page: everyone's for administrators, else one's own (docs/reference/logs.md#views). */
export const useLogs = (query: LogQuery, isAdmin: boolean): Page<LogEntry> =>
  usePageAt(isAdmin ? log.list : log.own, query, isAdmin ? cutAll : cutOwn)

export function useLogStat(
  filter: LogFilter,
  isAdmin: boolean,
  everyMs: number | false,
): UseQueryResult<ApiAnswer<typeof log.stat>> {
  return usePolled({
    queryKey: [areaOf(log.stat), 'stat', isAdmin, filter],
    read: (manner) =>
      isAdmin
        ? send(log.stat, { query: allQuery(filter) }, manner)
        : send(log.ownStat, { query: ownQuery(filter) }, manner),
    everyMs,
  })
}

async function cutAll({ filter, index, size, manner }: PageQuery<SortedFilter>): Promise<PageRows<LogEntry>> {
  const query = { ...allQuery(filter), sort: filter.sort, p: index + 1, page_size: size }
  const { channel_names: names, ...page } = await send(log.list, { query }, manner)
  return cut(page, names)
}

async function cutOwn({ filter, index, size, manner }: PageQuery<SortedFilter>): Promise<PageRows<LogEntry>> {
  const query = { ...ownQuery(filter), sort: filter.sort, p: index + 1, page_size: size }
  return cut(await send(log.own, { query }, manner))
}

const cut = (
  { items, total, has_more: isMore }: ApiAnswer<typeof log.own>,
  names: ChannelNames = {},
): PageRows<LogEntry> => ({ rows: items.map((row) => entryOf(row, names)), total, isMore })
