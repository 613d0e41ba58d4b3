import {
  type QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { ApiAnswer, ApiCall, CallInput } from '../../shared/api/call.ts'
import { clearToasts } from '../components/toasts.ts'
import { type SendOptions, send } from './client.ts'

/** The data of a reading call, kept until a `useSend` of the same area succeeds. */
export const useCall = <C extends ApiCall>(
  call: C,
  ask: CallInput<C>,
  manner: SendOptions = {},
): UseQueryResult<ApiAnswer<C>> =>
  useQuery({
    queryKey: [areaOf(call), call.path, ask],
    queryFn: ({ signal }) => send(call, ask, { ...manner, signal }),
  })

/**
 * A changing call: clears the toasts of earlier actions, and on success refreshes all that was read from its area; what an
 * option changes may be seen anywhere.
 */
export function useSend<C extends ApiCall>(
  call: C,
  manner: SendOptions = {},
): UseMutationResult<ApiAnswer<C>, Error, CallInput<C>> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (ask: CallInput<C>) => send(call, ask, manner),
    onMutate: clearToasts,
    // Not waited for: a row that asks may be gone with the refreshed list before it hears of its success.
    onSuccess: () => void queries.invalidateQueries(areaOf(call) === 'option' ? {} : { queryKey: [areaOf(call)] }),
  })
}

/** What a call reads or changes, e.g. `token`: the first key of everything cached from there. */
export const areaOf = (call: ApiCall): string => call.path.split('/')[2] ?? ''

/** Drops everything read on behalf of one person; what anybody may know, the status, stays. */
export const clearCallCache = (queries: QueryClient): void =>
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
