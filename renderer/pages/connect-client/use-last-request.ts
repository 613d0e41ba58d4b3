import { useQuery, useQueryClient } from '@tanstack/react-query'
import { firstCall, type LastCall } from '../../../shared/api/first-call.ts'
import { type LogView, log } from '../../../shared/api/log.ts'
import { logType } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { nextEvent } from '../../api/next-event.ts'
import { notePoll, polls } from '../../api/polls.ts'
import { useCall } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

/** A token's newest charged call, and the failure if its newest request failed. */
export type LastRequest = Readonly<{ call: LastCall | null; failure: LogView | undefined }>

const everyMs = 4000
const newestRow = {
  ...{ type: 0, p: 1, page_size: 1 },
  ...{ token_name: '', model_name: '', group: '', start_timestamp: 0, end_timestamp: 0 },
}

/** Follows the requests of a token while the page is open; undefined while unknown. */
export function useLastRequest(tokenId: number | undefined): LastRequest | undefined {
  const query = { token_id: tokenId ?? 0 }
  const known = useCall(firstCall.last, { query }, { quiet: true })
  const rows = usePolled({
    queryKey: ['first-call', 'newest', query.token_id],
    read: async (manner) => (await send(log.own, { query: { ...newestRow, ...query } }, manner)).items,
    everyMs,
    enabled: tokenId !== undefined,
  })
  useNextCall()
  const call = known.isLoadingError ? null : known.data
  if (tokenId === undefined || call === undefined || rows.isLoading) return undefined
  const [newest] = rows.data ?? []
  return { call, failure: newest?.type === logType.error ? newest : undefined }
}

const retryAfterMs = 3000
/** Minimum time between displayed calls, in milliseconds. */
const pauseMs = 1000

/** Reads the newest call again whenever one has been charged. Reconnects if the connection is lost. */
function useNextCall(): void {
  const queries = useQueryClient()
  useQuery({
    queryKey: ['next-call'],
    queryFn: async ({ signal }) => {
      let event: LastCall | undefined
      while (!event) {
        notePoll()
        event = await nextEvent(firstCall.wait, { signal, isPoll: true })
      }
      void queries.invalidateQueries({ queryKey: ['first-call'] })
      return event
    },
    retry: true,
    retryDelay: () => polls.pause(retryAfterMs),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? polls.pause(pauseMs) : false),
    refetchIntervalInBackground: true,
  })
}
