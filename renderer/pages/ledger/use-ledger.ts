import type { UseQueryResult } from '@tanstack/react-query'
import { type LedgerState, ledger } from '../../../shared/api/ledger.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

const pollMs = 1000

/** How the ledger stands, asked again each second while something goes on. */
export const useLedger = (): UseQueryResult<LedgerState> =>
  usePolled({
    queryKey: [areaOf(ledger.state), ledger.state.path],
    read: (manner) => send(ledger.state, {}, manner),
    everyMs: (data) => (data?.running || data?.is_cleaning ? pollMs : false),
  })
