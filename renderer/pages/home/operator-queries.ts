import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { status } from '../../../shared/api/status.ts'
import { send } from '../../api/client.ts'
import { readStored, writeStored } from '../../api/stored.ts'

const anyText = z.string()
/** Longer pages are not cached: browsers store only a few million characters in total. */
const MAX_CACHED = 500_000

/** The operator's home page; the cached version is shown until it has loaded. */
export const homePageQuery = queryOptions({
  queryKey: ['home_page_content'],
  // Prefetched before the page renders (renderer/main.tsx), which should not load it again.
  staleTime: 10_000,
  queryFn: async ({ signal }) => {
    const text = (await send(status.home, {}, { quiet: true, signal })).trim()
    writeStored('home_page_content', text.length > MAX_CACHED ? undefined : text)
    return text
  },
  placeholderData: () => readStored('home_page_content', anyText),
})

/** The operator's notice if this browser has not shown it yet, else empty. Shown notices are remembered. */
const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: async ({ signal, client, queryKey }) => {
    const text = (await send(status.notice, {}, { quiet: true, signal })).trim()
    // A refresh must not close a visible notice.
    const isOpen = text !== '' && client.getQueryData(queryKey) === text
    if (isOpen || text === readStored('notice', anyText)) return isOpen ? text : ''
    if (text !== '') writeStored('notice', text)
    return text
  },
})

export function useNotice(): { text: string; close: () => void } {
  const { data: text = '' } = useQuery(noticeQuery)
  const queries = useQueryClient()
  return { text, close: () => queries.setQueryData(noticeQuery.queryKey, '') }
}
