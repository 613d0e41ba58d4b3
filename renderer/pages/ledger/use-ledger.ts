import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type LedgerState, ledger } from '../../../shared/api/ledger.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'

const pollMs = 1000

/** How the ledger stands, asked again each second while something goes on. */
export const useLedger = (): UseQueryResult<LedgerState> =>
  useQuery({
    queryKey: [areaOf(ledger.state), ledger.state.path],
    queryFn: ({ signal }) => send(ledger.state, {}, { quiet: true, signal }),
    refetchInterval: ({ state }) => (state.data?.running || state.data?.is_cleaning ? pollMs : false),
  })
