import { useMemo } from 'react'
import { type OptionState, option } from '../../../shared/api/option.ts'
import { useCall } from '../../api/use-call.ts'

/**
 * By key: whether a setting is at its default, whether it is filled in, and who changed it last; undefined until that is known,
 * and where it could not be read, which settings can do without.
 */
export function useOptionStates(): Readonly<{
  states: ReadonlyMap<string, OptionState> | undefined
  isPending: boolean
}> {
  const { data, isPending } = useCall(option.state, {}, { quiet: true })
  const states = useMemo(() => data && new Map(data.map((state) => [state.key, state])), [data])
  return { states, isPending }
}
