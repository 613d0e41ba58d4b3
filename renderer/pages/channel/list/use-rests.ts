import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { type ChannelRest, routing } from '../../../../shared/api/routing.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { type Timed, timed } from '../../../components/rest/timed.ts'

/** A rest of a channel, with the moment it ends. */
export type TimedRest = Timed<ChannelRest>

/**
 * Keeps what rests fresh while the page is seen: soon again while anything rests, else now and then. Renders nothing anew
 * itself; answers how to ask at once.
 */
export function useFreshRests(): () => void {
  const { refetch } = useQuery({
    ...reading,
    notifyOnChangeProps: [],
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.length ? RESTING_MS : QUIET_MS),
  })
  return () => void refetch()
}

/** The rests of some channels; who asks is rendered anew only when one of these changes. */
export function useRestsOf(ids: readonly number[]): readonly TimedRest[] {
  const wanted = ids.join()
  const select = useCallback(
    (rests: readonly TimedRest[]) => rests.filter(({ channel_id: id }) => wanted.split(',').includes(String(id))),
    [wanted],
  )
  return useQuery({ ...reading, select }).data ?? none
}

const RESTING_MS = 4000
const QUIET_MS = 30_000

/** A row that comes into sight is content with what was read a moment ago. */
const reading = {
  queryKey: [areaOf(routing.rests), routing.rests.path],
  staleTime: RESTING_MS,
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly TimedRest[]> =>
    timed(await send(routing.rests, {}, { quiet: true, signal }), Date.now()),
}
const none: readonly TimedRest[] = []
