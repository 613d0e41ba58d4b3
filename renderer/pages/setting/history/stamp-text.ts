import { formatTime } from '../../../components/date-time.ts'
import { useTranslation } from '../../../translation.ts'

type Stamp = Readonly<{ changed_by: string; changed_at: number }>

/** Who changed something and when; an unknown name is omitted, and an unknown time is “in the meantime”. */
export function useStampText(): (stamp: Stamp) => string {
  const { t } = useTranslation()
  return ({ changed_by: who, changed_at: at }) => {
    if (at <= 0) return t('history.nobody')
    const time = formatTime(at)
    return who === '' ? t('history.atTime', { time }) : t('history.byAt', { who, time })
  }
}
