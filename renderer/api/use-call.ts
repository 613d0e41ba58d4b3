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
import { CallFailure } from './call-failure.ts'
import { type SendOptions, send } from './client.ts'

/** The data of a read, cached until a `useSend` of the same area refreshes it. */
export const useCall = <C extends ApiCall>(
  call: C,
  input: CallInput<C>,
  manner: SendOptions = {},
): UseQueryResult<ApiAnswer<C>> =>
  useQuery({
    queryKey: [areaOf(call), call.path, input],
    queryFn: ({ signal }) => send(call, input, { ...manner, signal }),
  })

/**
 * A write: clears earlier toasts and, unless it is refused, refreshes everything read from its area: a write whose
 * response is lost may have had its effect. An option can affect everything, so writing one refreshes all areas.
 */
export function useSend<C extends ApiCall>(
  call: C,
  manner: SendOptions = {},
): UseMutationResult<ApiAnswer<C>, Error, CallInput<C>> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<C>) => send(call, input, manner),
    onMutate: clearToasts,
    // Not awaited: the refresh may remove the row that made the call before its success handler runs.
    onSettled: (_, error) => {
      if (error instanceof CallFailure && error.kind === 'refused') return
      void queries.invalidateQueries(areaOf(call) === 'option' ? {} : { queryKey: [areaOf(call)] })
    },
  })
}

/** The area of a call, e.g. `token`: the first cache key of everything read from it. */
export const areaOf = (call: ApiCall): string => call.path.split('/')[2] ?? ''

/** Clears everything cached for a user; the public status stays. */
export const clearCallCache = (queries: QueryClient): void =>
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'status' })
