import './time-range.css'
import { Button, Classes, InputGroup } from '@blueprintjs/core'
import { Calendar } from '@blueprintjs/icons'
import { useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { formatTime, parseTime } from '../date-time.ts'
import { Popover } from '../popover/popover.tsx'
import { nameOfSpan, type RangeName, rangeNames, spanOf, type TimeSpan } from './named-ranges.ts'
import { rangeText } from './range-text.ts'
import { shownEnd } from './shown-end.ts'

/** A span, and the named range it was chosen by, if any. */
type ChosenRange = TimeSpan & Readonly<{ name: RangeName | undefined }>

type TimeRangeProps = TimeSpan &
  Readonly<{
    /** The name of the range, if known; a range that begins at midnight is recognized without it. */
    name?: RangeName | undefined
    names?: readonly RangeName[]
    onChange: (range: ChosenRange) => void
  }>

/** A time range: a button that opens the named ranges and two fields for any other. */
export function TimeRange({ start, end, name, names = rangeNames, onChange }: TimeRangeProps) {
  const { t } = useTranslation()
  const shownName = name ?? nameOfSpan({ start, end })
  const text = shownName ? t(`range.${shownName}`) : rangeText(start, end)
  return (
    <Popover
      placement="bottom-start"
      content={
        <div className="time-range-popover">
          <fieldset className="time-range-names" aria-label={t('log.spans')}>
            {names.map((one) => (
              <Button
                key={one}
                size="small"
                variant="outlined"
                className={Classes.POPOVER_DISMISS}
                active={one === shownName}
                text={t(`range.${one}`)}
                data-applies
                onClick={() => onChange({ ...spanOf(one), name: one })}
              />
            ))}
          </fieldset>
          <Ends start={start} end={end} onApply={onChange} />
        </div>
      }
    >
      <Button className="tabular" icon={<Calendar />} text={text} aria-label={`${t('log.range')}: ${text}`} />
    </Popover>
  )
}

/** Both ends of any range, applied together. */
function Ends({ start, end, onApply }: TimeSpan & { onApply: (range: ChosenRange) => void }) {
  const { t } = useTranslation()
  const [typed, type] = useState<TimeSpan>({ start, end: end ?? (start === undefined ? undefined : shownEnd()) })
  return (
    // A surrounding filter bar must not apply the ends before the button is pressed.
    <fieldset className="time-range-ends" aria-label={t('log.range')} onChange={(event) => event.stopPropagation()}>
      <Moment label={t('label.start')} value={typed.start} onValue={(value) => type({ ...typed, start: value })} />
      <Moment label={t('label.end')} value={typed.end} onValue={(value) => type({ ...typed, end: value })} />
      <Button
        className={Classes.POPOVER_DISMISS}
        intent="primary"
        text={t('range.apply')}
        data-applies
        onClick={() => onApply({ ...typed, name: undefined })}
      />
    </fieldset>
  )
}

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
