import { keepPreviousData } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { data, type TokenHours } from '../../../shared/api/data.ts'
import type { TokenView } from '../../../shared/api/token.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

const Hours = createContext<ReadonlyMap<number, TokenHours[number]>>(new Map())

/**
 * Loads the activity of all tokens of a page in one call, and again each minute; rows show no activity before the first
 * response.
 */
export function TokenHoursOf({ rows, children }: { rows: readonly TokenView[]; children: ReactNode }) {
  const ids = useMemo(() => rows.map(({ id }) => id).sort((a, b) => a - b), [rows])
  const { data: hours } = usePolled({
    queryKey: [areaOf(data.tokenHours), 'token-hours', ids],
    enabled: ids.length > 0,
    read: (manner) => send(data.tokenHours, { body: { ids } }, manner),
    staleTime: MINUTE_MS,
    everyMs: MINUTE_MS,
    placeholderData: keepPreviousData,
  })
  const byToken = useMemo(() => new Map(hours?.map((one) => [one.token_id, one])), [hours])
  return <Hours.Provider value={byToken}>{children}</Hours.Provider>
}

/** A token's activity of the last 24 hours; undefined until known. */
export const useTokenHours = (id: number): TokenHours[number] | undefined => useContext(Hours).get(id)

const MINUTE_MS = 60_000
