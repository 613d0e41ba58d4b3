import { isOptionKey, labelOf } from '../../../../shared/options/index.ts'
import { useTranslation } from '../../../translation.ts'

/** The localized name of a setting; its key if it is unknown. */
export function useOptionName(): (key: string) => string {
  const { t } = useTranslation()
  return (key) => (isOptionKey(key) ? t(labelOf(key)) : key)
}
