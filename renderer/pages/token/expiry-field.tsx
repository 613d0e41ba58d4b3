import { useTranslation } from 'react-i18next'
import { formatTime } from '../../components/moment.ts'
import { Presets } from '../../components/presets/presets.tsx'
import { TextField } from '../../components/text-field/text-field.tsx'

type ExpiryFieldProps = Readonly<{ value: string; onValue: (value: string) => void; error?: string | undefined }>

/** When a token ends: a time as text, empty for never, with the usual spans to choose from. */
export function ExpiryField({ value, onValue, error }: ExpiryFieldProps) {
  const { t } = useTranslation()
  const presets = spans.map(({ label, seconds }) => ({
    text: t(label),
    value: () => formatTime(Math.floor(Date.now() / 1000) + seconds),
  }))
  return (
    <>
      <TextField
        label={t('label.expires')}
        name="expiry"
        autoComplete="off"
        placeholder={t('label.never')}
        value={value}
        onValue={onValue}
        error={error}
        hint={t('token.expiryHint')}
      />
      <Presets
        label={t('token.expiryPresets')}
        presets={[{ text: t('label.never'), value: () => '' }, ...presets]}
        onChoose={onValue}
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
