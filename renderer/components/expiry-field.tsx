import { FormGroup, InputGroup } from '@blueprintjs/core'
import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from '../translation.ts'
import { formatTime, parseTime, UNREADABLE } from './moment.ts'
import { Presets } from './presets/presets.tsx'

type ExpiryFieldProps = Readonly<{ value: string; onValue: (value: string) => void; error?: string | undefined }>

/** When a token or a code ends: picked or typed where the browser has its picker, empty for never, with the usual spans to choose from. */
export function ExpiryField({ value, onValue, error }: ExpiryFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  // A date that is typed in part is only the browser's: what a preset says takes a field without it.
  const [field, setField] = useState(0)
  const presets = spans.map(({ label, seconds }) => ({
    text: t(label),
    value: () => formatTime(Math.floor(Date.now() / 1000) + seconds),
  }))
  const note = error ?? (value === '' ? t('token.neverExpires') : t('token.expiryHint'))
  const intent = error ? 'danger' : 'none'
  // Browsers tell of a time that is whole; one that is not is seen when a key or the focus goes.
  const look = ({ currentTarget: { value: typed, validity } }: FormEvent<HTMLInputElement>) => {
    const next = validity.badInput ? UNREADABLE : typed.replace('T', ' ')
    const time = parseTime(next)
    // A browser leaves out seconds that are none: the same time is no change.
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

/** The spans of docs/reference/screens.md#tokens; a month is 30 days. */
const spans = [
  { label: 'token.oneHour', seconds: 3600 },
  { label: 'token.oneDay', seconds: 86_400 },
  { label: 'token.oneMonth', seconds: 30 * 86_400 },
] as const
