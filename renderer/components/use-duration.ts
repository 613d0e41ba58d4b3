import { useTranslation } from '../translation.ts'

export function useDuration(): (milliseconds: number) => string {
  const { t } = useTranslation()
  return (milliseconds) => {
    const whole = Math.round(milliseconds)
    if (whole < 1000) return t('log.milliseconds', { n: whole })
    return t('log.seconds', { n: (milliseconds / 1000).toFixed(whole < 9950 ? 1 : 0) })
  }
}
