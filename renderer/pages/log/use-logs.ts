import type { UseQueryResult } from '@tanstack/react-query'
import type { ApiAnswer } from '../../../shared/api/call.ts'
import { log } from '../../../shared/api/log.ts'
import { send } from '../../api/client.ts'
import { useCall } from '../../api/use-call.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { entryOf, type LogEntry } from './log-facts.ts'
import { allQuery, type LogFilter, ownQuery } from './log-filter.ts'

/** The usage log page by page: everybody's for administrators, else one's own (docs/reference/logs.md#views). */
export const useLogs = (filter: LogFilter, isAdmin: boolean): Page<LogEntry> =>
  usePage(isAdmin ? log.list : log.own, filter, isAdmin ? cutAll : cutOwn)

/** Consumed quota over the filter, and requests and tokens of the last minute. */
export function useLogStat(filter: LogFilter, isAdmin: boolean): UseQueryResult<ApiAnswer<typeof log.stat>> {
  const query = isAdmin ? allQuery(filter) : ownQuery(filter)
  return useCall(isAdmin ? log.stat : log.ownStat, { query }, { quiet: true })
}

const cutAll = async ({ filter, index, size, manner }: PageQuery<LogFilter>): Promise<PageRows<LogEntry>> =>
  cut(await send(log.list, { query: { ...allQuery(filter), p: index + 1, page_size: size } }, manner))

const cutOwn = async ({ filter, index, size, manner }: PageQuery<LogFilter>): Promise<PageRows<LogEntry>> =>
  cut(await send(log.own, { query: { ...ownQuery(filter), p: index + 1, page_size: size } }, manner))

const cut = ({ items, total, has_more: isMore }: ApiAnswer<typeof log.list>): PageRows<LogEntry> => ({
  rows: items.map(entryOf),
  total,
  isMore,
})
