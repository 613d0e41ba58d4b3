import { useQuery } from '@tanstack/react-query'
import { firstCall, type LastCall } from '../../../shared/api/first-call.ts'
import { nextEvent } from '../../api/next-event.ts'
import { notePoll, polls } from '../../api/polls.ts'
import { useCall } from '../../api/use-call.ts'

const retryAfterMs = 3000
/** Between two calls that are shown, whatever goes on. */
const pauseMs = 1000

/**
 * The newest call from outside: what the gateway knows, then what it tells of while the page is open. Null for none,
 * undefined while it is not known. Lost connections are made again.
 */
export function useLastCall(): LastCall | null | undefined {
  const known = useCall(firstCall.last, {}, { quiet: true })
  const { data: heard } = useQuery({
    queryKey: ['first-call', 'next'],
    queryFn: async ({ signal }) => {
      let event: LastCall | undefined
      while (!event) {
        notePoll()
        event = await nextEvent(firstCall.wait, { signal, isPoll: true })
      }
      return event
    },
    retry: true,
    retryDelay: () => polls.pause(retryAfterMs),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: ({ state }) => (state.data ? polls.pause(pauseMs) : false),
    refetchIntervalInBackground: true,
  })
  return heard ?? (known.isLoadingError ? null : known.data)
}
