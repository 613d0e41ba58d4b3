import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ChannelKey, routing } from '../../../../shared/api/routing.ts'
import { send } from '../../../api/client.ts'
import { areaOf } from '../../../api/use-call.ts'
import { type Timed, timed } from '../../../components/cooldown/timed.ts'

/** A channel's key; cooldowns include their end. */
export type TimedKey = Omit<ChannelKey, 'cooldowns'> & Readonly<{ cooldowns: readonly Timed[] }>

/** A channel's keys without their secrets; loaded once `isWanted`, and refreshed with all other data of channels. */
export const useKeys = (id: number, isWanted = true): UseQueryResult<readonly TimedKey[]> =>
  useQuery({
    queryKey: [areaOf(routing.keys), routing.keys.path, id],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<readonly TimedKey[]> => {
      const keys = await send(routing.keys, { params: { id } }, { quiet: true, signal })
      const at = Date.now()
      return keys.map((key) => ({ ...key, cooldowns: timed(key.cooldowns, at) }))
    },
  })

/** A key's display name: its position, and its ending if known. */
export const keyName = ({ position, tail }: Pick<ChannelKey, 'position' | 'tail'>): string =>
  tail === '' ? `#${position}` : `#${position} …${tail}`
