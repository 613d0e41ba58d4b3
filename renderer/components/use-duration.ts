import { useTranslation } from '../translation.ts'

export function useDuration(): (milliseconds: number) => string {
  const { t } = useTranslation()
  return (milliseconds) => {
    const rounded = Math.round(milliseconds)
    if (rounded < 1000) return t('log.milliseconds', { n: rounded })
    return t('log.seconds', { n: (milliseconds / 1000).toFixed(rounded < 9950 ? 1 : 0) })
  }
}
