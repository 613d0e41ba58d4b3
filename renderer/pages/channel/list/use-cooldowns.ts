import { useCallback } from 'react'
import { type ChannelCooldown, routing } from '../../../../shared/api/routing.ts'
import { type SendOptions, send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { usePolled } from '../../../api/use-polled.ts'
import { type Timed, timed } from '../../../components/cooldown/timed.ts'

export type TimedCooldown = Timed<ChannelCooldown>

/**
 * Polls cooldowns while the page is visible: often while there are any, otherwise rarely. Does not re-render its
 * component; returns a function that refreshes the cooldowns at once.
 */
export function useFreshCooldowns(): () => void {
  const { refetch } = usePolled({
    ...reading,
    notifyOnChangeProps: [],
    refetchOnWindowFocus: true,
    everyMs: (data) => (data?.length ? COOLING_MS : QUIET_MS),
  })
  return () => void refetch()
}

/** The cooldowns of some channels; re-renders only when one of these changes. */
export function useCooldownsOf(ids: readonly number[]): readonly TimedCooldown[] {
  const wanted = ids.join()
  const select = useCallback(
    (cooldowns: readonly TimedCooldown[]) =>
      cooldowns.filter(({ channel_id: id }) => wanted.split(',').includes(String(id))),
    [wanted],
  )
  return usePolled({ ...reading, everyMs: false, select }).data ?? none
}

const COOLING_MS = 4000
const QUIET_MS = 30_000

/** The query of all cooldowns; a newly visible row uses recently loaded data. */
const reading = {
  queryKey: [areaOf(routing.cooldowns), routing.cooldowns.path],
  staleTime: COOLING_MS,
  read: async (manner: SendOptions): Promise<readonly TimedCooldown[]> =>
    timed(await send(routing.cooldowns, {}, manner), Date.now()),
}
const none: readonly TimedCooldown[] = []
