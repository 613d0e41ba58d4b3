import { currentLocale } from '../../i18n.ts'
import { formatTime } from '../moment.ts'

/** A time in unix seconds as `YYYY-MM-DD HH:mm:ss` where the person is; day and time zone on hover. 0 is a dash: never. */
export function TimeText({ at }: { at: number }) {
  if (at <= 0) return <span>–</span>
  const time = new Date(at * 1000)
  const full = time.toLocaleString(currentLocale(), { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time className="tabular" dateTime={time.toISOString()} title={full}>
      {formatTime(at)}
    </time>
  )
}
