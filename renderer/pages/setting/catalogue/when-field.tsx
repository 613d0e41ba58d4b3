import { FormGroup, InputGroup, SegmentedControl } from '@blueprintjs/core'
import { useId } from 'react'
import { parseTime } from '../../../components/date-time.ts'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'

/** Whether prices apply now or later, the time as typed, and a note. */
export type When = Readonly<{ isLater: boolean; time: string; note: string }>

/** Parses a future time to unix seconds; 0 for anything else. */
export function isTimeAhead(text: string): number {
  const seconds = parseTime(text) ?? 0
  return seconds > Date.now() / 1000 ? seconds : 0
}

type WhenFieldProps = Readonly<{ when: When; onWhen: (when: When) => void; isChecked: boolean }>

export function WhenField({ when, onWhen, isChecked }: WhenFieldProps) {
  const { t } = useTranslation()
  const { isLater, time, note } = when
  return (
    <fieldset className="catalogue-when" aria-label={t('prices.when')}>
      <SegmentedControl
        className="catalogue-when-choice"
        aria-label={t('prices.when')}
        options={[
          { value: 'now', label: t('prices.now') },
          { value: 'later', label: t('prices.later') },
        ]}
        value={isLater ? 'later' : 'now'}
        onValueChange={(value) => onWhen({ ...when, isLater: value === 'later' })}
      />
      {isLater && (
        <div className="catalogue-when-fields">
          <TimeField time={time} onTime={(next) => onWhen({ ...when, time: next })} isChecked={isChecked} />
          <NoteField note={note} onNote={(next) => onWhen({ ...when, note: next })} />
        </div>
      )}
    </fieldset>
  )
}

export function TimeField({
  time,
  onTime,
  isChecked,
}: Readonly<{ time: string; onTime: (time: string) => void; isChecked: boolean }>) {
  const { t } = useTranslation()
  const id = useId()
  const isWrong = isChecked && !isTimeAhead(time)
  const intent = isWrong ? 'danger' : 'none'
  return (
    <FormGroup
      label={t('prices.validFrom')}
      labelFor={id}
      intent={intent}
      helperText={<span id={`${id}-note`}>{t(isWrong ? 'prices.timeWrong' : 'prices.timeHint')}</span>}
    >
      <InputGroup
        id={id}
        type="datetime-local"
        fill
        intent={intent}
        value={time.replace(' ', 'T')}
        onInput={({ currentTarget }) => onTime(currentTarget.value.replace('T', ' '))}
        aria-invalid={isWrong}
        aria-describedby={`${id}-note`}
      />
    </FormGroup>
  )
}

export function NoteField({ note, onNote }: Readonly<{ note: string; onNote: (note: string) => void }>) {
  const { t } = useTranslation()
  return (
    <TextField label={t('prices.note')} hint={t('prices.noteHint')} maxLength={500} value={note} onValue={onNote} />
  )
}
