import './time-range.css'
import { Button, InputGroup } from '@blueprintjs/core'
import { Calendar } from '@blueprintjs/icons'
import { startOfToday, subDays } from 'date-fns'
import { useTranslation } from '../../translation.ts'
import { formatTime, parseTime } from '../date-time.ts'
import { Popover } from '../popover/popover.tsx'
import { Presets } from '../presets/presets.tsx'
import { useNarrow } from '../use-narrow.ts'
import { rangeText } from './range-text.ts'
import { shownEnd } from './shown-end.ts'

type TimeRangeProps = Readonly<{
  /** Unix seconds; undefined is an open end. */
  start: number | undefined
  end: number | undefined
  onChange: (change: { start?: number | undefined; end?: number | undefined }) => void
}>

/** A time range: a button that opens both fields and presets; on a phone the fields are inline. */
export function TimeRange(props: TimeRangeProps) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  if (isNarrow) return <Ends {...props} />
  const text = rangeText(props.start, props.end)
  return (
    <Popover
      placement="bottom-start"
      content={
        <div className="time-range-popover">
          <Ends {...props} />
          <Spans {...props} />
        </div>
      }
    >
      <Button className="tabular" icon={<Calendar />} text={text} aria-label={`${t('log.range')}: ${text}`} />
    </Popover>
  )
}

function Ends({ start, end, onChange }: TimeRangeProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="time-range-ends" aria-label={t('log.range')}>
      <Moment label={t('label.start')} value={start} onValue={(value) => onChange({ start: value })} />
      <Moment label={t('label.end')} value={end} onValue={(value) => onChange({ end: value })} />
    </fieldset>
  )
}

/** Presets: today, and several days until an hour from now. */
function Spans({ onChange }: TimeRangeProps) {
  const { t } = useTranslation()
  const spans = days.map((n) => ({ text: t('log.lastDays', { n }), value: () => lastDays(n) }))
  const presets = [{ text: t('log.today'), value: () => lastDays(0) }, ...spans]
  return <Presets label={t('log.spans')} presets={presets} onChoose={onChange} />
}

const days = [7, 30, 90]

/** From midnight n days ago. */
const lastDays = (n: number) => ({ start: subDays(startOfToday(), n).getTime() / 1000, end: shownEnd() })

/** Length of a time to the minute. */
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
