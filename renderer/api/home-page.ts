import { queryOptions } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { status } from '../../shared/api/status.ts'
import { send } from './client.ts'
import { readStored, writeStored } from './stored.ts'

const anyText = z.string()
/** Maximum characters of a page that is cached: browsers store only a few million in total. */
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
