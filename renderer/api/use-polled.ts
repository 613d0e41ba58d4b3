import {
  type QueryKey,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { CallFailure } from './call-failure.ts'
import type { SendOptions } from './client.ts'
import { notePoll, polls } from './polls.ts'

/** A read and its polling interval in milliseconds, depending on the data read; false for none. */
type Polled<Data, Shown> = Omit<UseQueryOptions<Data, Error, Shown>, 'queryFn' | 'refetchInterval'> &
  Readonly<{
    queryKey: QueryKey
    read: (manner: SendOptions) => Promise<Data>
    everyMs: number | false | ((data: Data | undefined) => number | false)
  }>

/**
 * A read that repeats while the page is visible. A rate-limited repeat shows no error: the data stays and is read
 * again when the gateway allows it (docs/reference/screens.md#background-requests).
 */
export function usePolled<Data, Shown = Data>({
  read,
  everyMs,
  ...options
}: Polled<Data, Shown>): UseQueryResult<Shown> {
  const queries = useQueryClient()
  const { queryKey } = options
  const isPoll = useRef(false)
  const result = useQuery<Data, Error, Shown>({
    ...options,
    queryFn: async ({ signal }) => {
      if (!isPoll.current) return read({ quiet: true, signal })
      try {
        return await read({ quiet: true, signal, isPoll: true })
      } catch (error) {
        // A rate-limited repeat is treated as if it had not been sent.
        if (error instanceof CallFailure && error.status === 429) void queries.cancelQueries({ queryKey, exact: true })
        throw error
      }
    },
  })
  const intervalOf = () => {
    if (options.enabled === false) return false
    return typeof everyMs === 'function' ? everyMs(queries.getQueryData<Data>(queryKey)) : everyMs
  }
  const pause = useEffectEvent(intervalOf)
  const poll = useEffectEvent(async () => {
    if (document.hidden || !polls.isOpen() || queries.isFetching({ queryKey, exact: true }) > 0) return
    notePoll()
    isPoll.current = true
    const refetched = result.refetch({ cancelRefetch: false })
    isPoll.current = false
    await refetched
  })
  const interval = intervalOf()
  const key = JSON.stringify(queryKey)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the query or the interval restarts polling
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const turn = () => {
      const everyMs = pause()
      if (isOver || everyMs === false) return
      timer = setTimeout(() => void poll().then(turn), polls.pause(everyMs))
    }
    turn()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [interval, key])
  return result
}
