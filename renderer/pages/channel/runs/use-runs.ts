import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { channel } from '../../../../shared/api/channel.ts'
import { channelRuns, type Run } from '../../../../shared/api/channel-runs.ts'
import { send } from '../../../api/client.ts'
import { notePoll } from '../../../api/polls.ts'
import { useStored } from '../../../api/stored.ts'
import { areaOf } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'
import { isGoing, isRecent, keyOf } from './run-facts.ts'

/** The runs over all channels; only the caller with `follows` polls each second while a run is active. */
export const useRuns = (follows = false): UseQueryResult<Run[]> =>
  usePolled({
    queryKey: [areaOf(channelRuns.runs), channelRuns.runs.path],
    read: (manner) => send(channelRuns.runs, {}, manner),
    everyMs: (data) => (follows && data?.some(isGoing) ? pollMs : false),
  })

/** Runs that deserve a card, and a function that dismisses one; refreshes the channel list along with them. */
export function useShownRuns(): { runs: readonly Run[]; isLost: boolean; dismiss: (run: Run) => void } {
  const { data = [], isError, dataUpdatedAt } = useRuns(true)
  const { hidden, dismiss } = useSeen(data)
  useFreshList(data)
  const now = dataUpdatedAt / 1000
  return {
    runs: data.filter((run) => isRecent(run, now) && !(hidden.includes(keyOf(run)) && !isGoing(run))),
    isLost: isError,
    dismiss,
  }
}

const pollMs = 1000

/**
 * Results that were shown are recorded in the browser: their cards stay until they are dismissed or the page is left,
 * and are not shown again.
 */
function useSeen(runs: readonly Run[]): { hidden: readonly string[]; dismiss: (run: Run) => void } {
  const [seen = none, store] = useStored('seen-runs', keys)
  const [hidden, setHidden] = useState(seen)
  const ended = runs.filter((run) => !isGoing(run)).map(keyOf)
  const unseen = ended.filter((key) => !seen.includes(key)).join()
  // Runs that the gateway no longer reports need not be stored.
  const remember = useEffectEvent(() => store(ended))
  useEffect(() => {
    if (unseen !== '') remember()
  }, [unseen])
  return { hidden, dismiss: (run) => setHidden([...hidden, keyOf(run)]) }
}

const keys = z.array(z.string())
const none: readonly string[] = []

/** Reloads the channel list whenever a run progresses, because times, balances and states change with it. */
function useFreshList(runs: readonly Run[]): void {
  const queries = useQueryClient()
  const stage = runs.map((run) => `${keyOf(run)} ${run.state} ${run.items.length}`).join()
  const seen = useRef(stage)
  useEffect(() => {
    if (seen.current === stage) return
    seen.current = stage
    notePoll()
    void queries.invalidateQueries({ queryKey: [areaOf(channel.list), channel.list.path] })
  }, [queries, stage])
}
