import { useQuery } from '@tanstack/react-query'
import { type FirstCall, firstCall } from '../../../shared/api/first-call.ts'
import { nextEvent } from '../../api/next-event.ts'

const retryAfterMs = 3000

/** The first call that arrives from outside while the page is open; undefined until then. Lost connections are made anew. */
export function useFirstCall(): FirstCall | undefined {
  const { data } = useQuery({
    queryKey: ['first-call'],
    queryFn: async ({ signal }) => {
      let event: FirstCall | undefined
      while (!event) event = await nextEvent(firstCall.wait, signal)
      return event
    },
    retry: true,
    retryDelay: retryAfterMs,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return data
}
