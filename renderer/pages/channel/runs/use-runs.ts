import { skipToken, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { channel } from '../../../../shared/api/channel.ts'
import { channelRuns, type Run } from '../../../../shared/api/channel-runs.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { isGoing, isRecent, keyOf } from './run-facts.ts'

/** The runs over all channels; of those who listen, one `follows` and asks again each second while a run goes on. */
export const useRuns = (follows = false): UseQueryResult<Run[]> =>
  useQuery({
    queryKey: [areaOf(channelRuns.runs), channelRuns.runs.path],
    queryFn: ({ signal }) => send(channelRuns.runs, {}, { quiet: true, signal }),
    refetchInterval: ({ state }) => (follows && state.data?.some(isGoing) ? pollMs : false),
  })

/** The runs worth a card, the list of channels kept up with them, and what takes one of them away. */
export function useShownRuns(): { runs: readonly Run[]; isLost: boolean; dismiss: (run: Run) => void } {
  const { data = [], isError, dataUpdatedAt } = useRuns(true)
  const { dismissed, dismiss } = useDismissed()
  useFreshList(data)
  const now = dataUpdatedAt / 1000
  return {
    runs: data.filter((run) => isRecent(run, now) && !dismissed.includes(keyOf(run))),
    isLost: isError,
    dismiss,
  }
}

const pollMs = 1000

/** Runs taken away stay so while the console is open, whichever pages are visited; the browser stores nothing of it. */
function useDismissed(): { dismissed: readonly string[]; dismiss: (run: Run) => void } {
  const queries = useQueryClient()
  const queryKey = ['dismissed-runs']
  const { data: dismissed = [] } = useQuery<readonly string[]>({
    queryKey,
    queryFn: skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { dismissed, dismiss: (run) => queries.setQueryData(queryKey, [...dismissed, keyOf(run)]) }
}

/** Reads the list of channels again whenever a run has got further: times, balances and states change with it. */
function useFreshList(runs: readonly Run[]): void {
  const queries = useQueryClient()
  const stage = runs.map((run) => `${keyOf(run)} ${run.state} ${run.items.length}`).join()
  const seen = useRef(stage)
  useEffect(() => {
    if (seen.current === stage) return
    seen.current = stage
    void queries.invalidateQueries({ queryKey: [areaOf(channel.list), channel.list.path] })
  }, [queries, stage])
}
