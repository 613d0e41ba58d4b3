import { user as calls } from '../../../shared/api/user.ts'
import { useUser } from '../../api/session.ts'
import { useCall } from '../../api/use-call.ts'

/** A group: the name to send, and how to display it. */
type GroupChoice = Readonly<{ value: string; desc: string; ratio: number | string }>

export type Choices = Readonly<{
  /** The user's own group first; may be empty. */
  groups: readonly GroupChoice[]
  models: readonly string[]
  isLoading: boolean
  error: Error | null
  retry: () => void
}>

/** The user's groups and models (docs/reference/screens.md#playground). */
export function useChoices(): Choices {
  const own = useUser()?.group ?? ''
  const groups = useCall(calls.ownGroups, {}, { quiet: true })
  const models = useCall(calls.models, {}, { quiet: true })
  const choices = Object.entries(groups.data ?? {}).map(([value, { desc, ratio }]) => ({ value, desc, ratio }))
  return {
    groups: choices.sort((a, b) => Number(b.value === own) - Number(a.value === own)),
    models: [...(models.data ?? [])].sort((a, b) => a.localeCompare(b)),
    isLoading: groups.isLoading || models.isLoading,
    error: [groups, models].find(({ isLoadingError }) => isLoadingError)?.error ?? null,
    retry: () => {
      void groups.refetch()
      void models.refetch()
    },
  }
}
