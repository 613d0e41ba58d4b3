import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { status } from '../../../shared/api/status.ts'
import { send } from '../../api/client.ts'
import { readStored, writeStored } from '../../api/stored.ts'

const anyText = z.string()
/** Longer pages are read again each time: the browser keeps a few million characters in all. */
const maxKept = 500_000

/** The operator's own home page; what this browser saw last stands in until it has arrived. */
export const homePageQuery = queryOptions({
  queryKey: ['home_page_content'],
  // It is asked for before the page is there (renderer/main.tsx), which need not ask once more.
  staleTime: 10_000,
  queryFn: async ({ signal }) => {
    const text = (await send(status.home, {}, { quiet: true, signal })).trim()
    writeStored('home_page_content', text.length > maxKept ? undefined : text)
    return text
  },
  placeholderData: () => readStored('home_page_content', anyText),
})

/** The operator's notice, if this browser has not shown it yet; empty otherwise. What it shows is remembered. */
const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: async ({ signal, client, queryKey }) => {
    const text = (await send(status.notice, {}, { quiet: true, signal })).trim()
    // Read again while it is in sight, it stays there until it is closed.
    const isOpen = text !== '' && client.getQueryData(queryKey) === text
    if (isOpen || text === readStored('notice', anyText)) return isOpen ? text : ''
    if (text !== '') writeStored('notice', text)
    return text
  },
})

/** The notice to show, and how it is closed. */
export function useNotice(): { text: string; close: () => void } {
  const { data: text = '' } = useQuery(noticeQuery)
  const queries = useQueryClient()
  return { text, close: () => queries.setQueryData(noticeQuery.queryKey, '') }
}
