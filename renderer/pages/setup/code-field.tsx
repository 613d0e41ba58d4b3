import { Callout } from '@blueprintjs/core'
import { TextField } from '../../components/text-field/text-field.tsx'
import { useTranslation } from '../../translation.ts'

type CodeFieldProps = Readonly<{ value: string; error: string | undefined; onValue: (value: string) => void }>

/**
 * Where to find the setup link for who has come without it, and a field that takes it
 * (docs/reference/accounts.md#first-setup).
 */
export function CodeField({ value, error, onValue }: CodeFieldProps) {
  const { t } = useTranslation()
  return (
    <fieldset className="setup-group">
      <legend>{t('setup.link')}</legend>
      <Callout intent="primary" className="setup-link-where">
        {t('setup.linkWhere')}
      </Callout>
      <TextField
        label={t('setup.linkField')}
        name="code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onValue={onValue}
        error={error}
      />
    </fieldset>
  )
}
