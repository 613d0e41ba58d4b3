import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { keptBodies as calls } from '../../../../shared/api/kept-bodies.ts'
import { areaOf } from '../../../api/use-call.ts'

/** All that is held of calls, by the beginning of its key. */
const heldKey = [areaOf(calls.read), 'held'] as const

/**
 * What has been read of a call, held while its row becomes a card or is closed for a moment: reading it again would be another
 * look, and making it again another charge. Nothing is ever read by itself.
 */
export function useHeld<T>(name: string, requestId: string): readonly [T | undefined, (held: T | undefined) => void] {
  const queries = useQueryClient()
  const queryKey = [...heldKey, name, requestId]
  const { data } = useQuery<T | null>({ queryKey, queryFn: skipToken })
  return [data ?? undefined, (held) => queries.setQueryData<T | null>(queryKey, held ?? null)]
}
