import { useSyncExternalStore } from 'react'
import { currentLocale } from '../../i18n.ts'
import { type Translate, useTranslation } from '../../translation.ts'
import { dateAt } from '../date-time.ts'
import { ageOf } from './age.ts'

/** A live relative time (unix seconds; 0 is a dash), with the full time on hover. */
export function AgeText({ at }: { at: number }) {
  const { t } = useTranslation()
  const text = useSyncExternalStore(onTick, () => textFor(at, t))
  if (at <= 0) return <span>—</span>
  const time = dateAt(at)
  const full = time.toLocaleString(currentLocale(), { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time className="tabular" dateTime={time.toISOString()} title={full}>
      {text}
    </time>
  )
}

function textFor(at: number, t: Translate): string {
  const { unit, n } = ageOf(Date.now() / 1000 - at)
  return n === 0 ? t('time.justNow') : t(texts[unit], { n })
}

const texts = { minutes: 'time.minutesAgo', hours: 'time.hoursAgo', days: 'time.daysAgo' } as const
const TICK_MS = 15_000

function onTick(listener: () => void): () => void {
  const clock = setInterval(listener, TICK_MS)
  return () => clearInterval(clock)
}
