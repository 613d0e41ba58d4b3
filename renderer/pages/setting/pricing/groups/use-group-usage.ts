import { useTranslation } from 'react-i18next'
import { type GroupUsage, model } from '../../../../../shared/api/model.ts'
import { useCall } from '../../../../api/use-call.ts'

/** How many use each group, and that in words. */
export function useGroupUsage() {
  const { t } = useTranslation()
  const { data, error, isLoading } = useCall(model.groupUsage, {}, { quiet: true })
  /** Empty where nothing uses the group, undefined while nobody knows. */
  const wordsOf = (group: string): string | undefined => {
    if (!data) return undefined
    const usage = Object.hasOwn(data, group) ? data[group] : undefined
    const parts = kinds.flatMap(([kind, key]) => (usage && usage[kind] > 0 ? [t(key, { n: usage[kind] })] : []))
    return parts.join(t('priceEditor.between'))
  }
  return { isLoading, groups: data ? Object.keys(data) : [], wordsOf, hasFailed: error !== null && !data }
}

const kinds = [
  ['channels', 'groupEditor.channels'],
  ['users', 'groupEditor.accounts'],
  ['tokens', 'groupEditor.tokens'],
] as const satisfies readonly (readonly [keyof GroupUsage, string])[]
