import { FormGroup, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { formatTime, parseTime, UNREADABLE } from './date-time.ts'
import { Presets } from './presets/presets.tsx'

type ExpiryFieldProps = Readonly<{ value: string; onValue: (value: string) => void; error?: string | undefined }>

/** The expiry of a token or code: typed or picked, empty for never, with common periods as presets. */
export function ExpiryField({ value, onValue, error }: ExpiryFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  // A new key remounts the field: a partly typed date exists only in the browser's control and would remain after a
  // preset.
  const [field, setField] = useState(0)
  const presets = spans.map(({ label, seconds }) => ({
    text: t(label),
    value: () => formatTime(Math.floor(Date.now() / 1000) + seconds),
  }))
  const note = error ?? (value === '' ? t('token.neverExpires') : t('token.expiryHint'))
  const intent = error ? 'danger' : 'none'
  // Browsers report only complete times; an incomplete one is checked on key up and blur.
  const look = ({ currentTarget: { value: typed, validity } }: FormEvent<HTMLInputElement>) => {
    const next = validity.badInput ? UNREADABLE : typed.replace('T', ' ')
    const time = parseTime(next)
    // Browsers omit zero seconds; an equal time is not a change.
    if (next !== value && (time === undefined || time !== parseTime(value))) onValue(next)
  }
  const choose = (chosen: string) => {
    setField(field + 1)
    onValue(chosen)
  }
  return (
    <>
      <FormGroup
        label={t('label.expires')}
        labelFor={id}
        intent={intent}
        helperText={<span id={`${id}-note`}>{note}</span>}
      >
        <InputGroup
          key={field}
          id={id}
          name="expiry"
          type="datetime-local"
          step={1}
          fill
          intent={intent}
          value={value === UNREADABLE ? '' : value.replace(' ', 'T')}
          onInput={look}
          onKeyUp={look}
          onBlur={look}
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-note`}
        />
      </FormGroup>
      <Presets
        label={t('token.expiryPresets')}
        presets={[{ text: t('label.never'), value: () => '' }, ...presets]}
        onChoose={choose}
      />
    </>
  )
}

/** The presets of docs/reference/screens.md#tokens; a month is 30 days. */
const spans = [
  { label: 'token.oneHour', seconds: 3600 },
  { label: 'token.oneDay', seconds: 86_400 },
  { label: 'token.oneMonth', seconds: 30 * 86_400 },
] as const
