import type { UseQueryResult } from '@tanstack/react-query'
import { type Overview, overview } from '../../../shared/api/overview.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

/** The overview since local midnight. */
export const useOverview = (everyMs: number): UseQueryResult<Overview> =>
  usePolled({
    queryKey: [areaOf(overview.read), overview.read.path],
    read: (manner) => send(overview.read, { query: { since: midnight() } }, manner),
    everyMs,
  })

/** The start of the local day, in unix seconds. */
const midnight = (): number => Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
