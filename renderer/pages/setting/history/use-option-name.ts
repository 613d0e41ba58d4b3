import { isOptionKey, labelOf } from '../../../../shared/options/index.ts'
import { useTranslation } from '../../../translation.ts'

/** The name of a setting in the person's language; its key where this release has no such setting. */
export function useOptionName(): (key: string) => string {
  const { t } = useTranslation()
  return (key) => (isOptionKey(key) ? t(labelOf(key)) : key)
}
