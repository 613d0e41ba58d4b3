import { useMemo } from 'react'
import { type OptionState, option } from '../../../shared/api/option.ts'
import { useCall } from '../../api/use-call.ts'

/**
 * By key: whether a setting has its default, whether it is set, and who changed it last. Undefined until loaded, and if
 * loading failed; the settings work without it.
 */
export function useOptionStates(): Readonly<{
  states: ReadonlyMap<string, OptionState> | undefined
  isPending: boolean
}> {
  const { data, isPending } = useCall(option.state, {}, { quiet: true })
  const states = useMemo(() => data && new Map(data.map((state) => [state.key, state])), [data])
  return { states, isPending }
}
