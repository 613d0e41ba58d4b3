import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import * as z from 'zod/mini'
import { status } from '../../../shared/api/status.ts'
import { send } from '../../api/client.ts'
import { readStored, writeStored } from '../../api/stored.ts'

const Notice = lazy(() => import('./notice.tsx'))

/** The operator's notice over the page, until it is closed (docs/reference/screens.md#home). */
export function OperatorNotice() {
  const { data: text = '' } = useQuery(noticeQuery)
  const queries = useQueryClient()
  const close = () => queries.setQueryData(noticeQuery.queryKey, '')
  return <Suspense>{text && <Notice text={text} onClose={close} />}</Suspense>
}

/** The operator's notice if this browser has not shown it yet, else empty. Shown notices are remembered. */
const noticeQuery = queryOptions({
  queryKey: ['notice'],
  queryFn: async ({ signal, client, queryKey }) => {
    const text = (await send(status.notice, {}, { quiet: true, signal })).trim()
    // A refresh must not close a visible notice.
    const isOpen = text !== '' && client.getQueryData(queryKey) === text
    if (isOpen || text === readStored('notice', z.string())) return isOpen ? text : ''
    if (text !== '') writeStored('notice', text)
    return text
  },
})
