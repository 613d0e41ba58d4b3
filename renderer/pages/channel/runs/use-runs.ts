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

/** The runs over all channels; of those who listen, one `follows` and asks again each second while a run goes on. */
export const useRuns = (follows = false): UseQueryResult<Run[]> =>
  usePolled({
    queryKey: [areaOf(channelRuns.runs), channelRuns.runs.path],
    read: (manner) => send(channelRuns.runs, {}, manner),
    everyMs: (data) => (follows && data?.some(isGoing) ? pollMs : false),
  })

/** The runs worth a card, the list of channels kept up with them, and what takes one of them away. */
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

/** Ends that were seen are remembered in the browser: they stay until the page is left or they are taken away, and never come back. */
function useSeen(runs: readonly Run[]): { hidden: readonly string[]; dismiss: (run: Run) => void } {
  const [seen = none, store] = useStored('seen-runs', keys)
  const [hidden, setHidden] = useState(seen)
  const ended = runs.filter((run) => !isGoing(run)).map(keyOf)
  const unseen = ended.filter((key) => !seen.includes(key)).join()
  // What the gateway does not tell of any more need not be remembered.
  const remember = useEffectEvent(() => store(ended))
  useEffect(() => {
    if (unseen !== '') remember()
  }, [unseen])
  return { hidden, dismiss: (run) => setHidden([...hidden, keyOf(run)]) }
}

const keys = z.array(z.string())
const none: readonly string[] = []

/** Reads the list of channels again whenever a run has got further: times, balances and states change with it. */
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
