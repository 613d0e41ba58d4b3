import './time-text.css'
import { currentLocale } from '../../i18n.ts'
import { dateAt, formatShortTime, formatTime } from '../date-time.ts'

type TimeTextProps = Readonly<{
  /** Unix seconds; 0 is a dash: never. */
  at: number
  /** For tables: omits the current year, or the seconds of other years. */
  isShort?: boolean
}>

/** A local time as `YYYY-MM-DD HH:mm:ss`; the full date and time zone on hover. */
export function TimeText({ at, isShort = false }: TimeTextProps) {
  if (at <= 0) return <span>—</span>
  const time = dateAt(at)
  const full = time.toLocaleString(currentLocale(), { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time className="time-text tabular" dateTime={time.toISOString()} title={full}>
      {isShort ? formatShortTime(at) : formatTime(at)}
    </time>
  )
}
