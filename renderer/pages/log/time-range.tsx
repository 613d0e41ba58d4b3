import { InputGroup } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { formatTime, parseTime } from '../../components/moment.ts'

type TimeRangeProps = Readonly<{
  /** Unix seconds; undefined is an open end. */
  start: number | undefined
  end: number | undefined
  onChange: (change: { start?: number | undefined; end?: number | undefined }) => void
}>

/** From when to when: the browser's own pickers, in the person's language; one under the other on a phone. */
export function TimeRange({ start, end, onChange }: TimeRangeProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="log-filters-range" aria-label={t('log.range')}>
      <Moment label={t('label.start')} value={start} onValue={(value) => onChange({ start: value })} />
      <Moment label={t('label.end')} value={end} onValue={(value) => onChange({ end: value })} />
    </fieldset>
  )
}

/** The length of a time to the minute. */
const MINUTES = 'YYYY-MM-DDTHH:mm'.length

type MomentProps = Readonly<{
  label: string
  value: number | undefined
  onValue: (value: number | undefined) => void
}>

function Moment({ label, value, onValue }: MomentProps) {
  return (
    <InputGroup
      type="datetime-local"
      aria-label={label}
      title={label}
      value={value === undefined ? '' : formatTime(value).replace(' ', 'T').slice(0, MINUTES)}
      onValueChange={(text) => onValue(parseTime(text))}
    />
  )
}
