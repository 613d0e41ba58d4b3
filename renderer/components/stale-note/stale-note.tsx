import './stale-note.css'
import { Button, Classes } from '@blueprintjs/core'
import { type Locale, languageTag } from '../../../shared/messages/locales.ts'
import { currentLocale } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { useEachSecond } from '../cooldown/countdown.tsx'

type StaleNoteProps = Readonly<{
  /** When the data was loaded, in unix milliseconds. */
  loadedAt: number
  error: Error | null
  onRetry: () => void
}>

/** A note next to data that could not be refreshed: its age and the reason. */
export function StaleNote({ loadedAt, error, onRetry }: StaleNoteProps) {
  const { t } = useTranslation()
  if (!error) return null
  return (
    <div className={`stale-note ${Classes.TEXT_MUTED}`}>
      <span role="status">{t('state.stale', { reason: error.message })}</span>
      <Age loadedAt={loadedAt} />
      <Button size="small" variant="minimal" text={t('state.retry')} onClick={onRetry} />
    </div>
  )
}

/** Updates over time, without being announced each time. */
function Age({ loadedAt }: { loadedAt: number }) {
  const { t } = useTranslation()
  const age = useEachSecond(() => ageOf(Date.now() - loadedAt, currentLocale()))
  return <span>{t('state.loaded', { age: age ?? t('state.justNow') })}</span>
}

/** A relative time in whole minutes, hours or days, such as "3 minutes ago"; undefined under a minute. */
function ageOf(ms: number, locale: Locale): string | undefined {
  const fitting = units.find(({ length }) => ms >= length)
  if (!fitting) return undefined
  const relativeTime = new Intl.RelativeTimeFormat(languageTag(locale))
  return relativeTime.format(-Math.floor(ms / fitting.length), fitting.unit)
}

const units = [
  { unit: 'day', length: 86_400_000 },
  { unit: 'hour', length: 3_600_000 },
  { unit: 'minute', length: 60_000 },
] as const
