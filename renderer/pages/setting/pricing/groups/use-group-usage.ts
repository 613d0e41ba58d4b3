import { type GroupUsage, model } from '../../../../../shared/api/model.ts'
import { useCall } from '../../../../api/use-call.ts'
import { useTranslation } from '../../../../translation.ts'

/** How many use each group, and that in words. */
export function useGroupUsage() {
  const { t } = useTranslation()
  const { data, error, isLoading } = useCall(model.groupUsage, {}, { quiet: true })
  /** Empty where nothing uses the group, undefined while nobody knows. */
  const wordsOf = (group: string): string | undefined => {
    if (!data) return undefined
    const usage = Object.hasOwn(data, group) ? data[group] : undefined
    const parts = kinds.flatMap(([kind, one, many]) => {
      const n = usage?.[kind] ?? 0
      if (n === 0) return []
      return n === 1 ? t(one) : t(many, { n })
    })
    return parts.join(t('priceEditor.between'))
  }
  return { isLoading, groups: data ? Object.keys(data) : [], wordsOf, hasFailed: error !== null && !data }
}

const kinds = [
  ['channels', 'groupEditor.channelsOne', 'groupEditor.channels'],
  ['users', 'groupEditor.accountsOne', 'groupEditor.accounts'],
  ['tokens', 'groupEditor.tokensOne', 'groupEditor.tokens'],
] as const satisfies readonly (readonly [keyof GroupUsage, string, string])[]
