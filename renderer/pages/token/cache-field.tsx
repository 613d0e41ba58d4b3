import { FormGroup, Switch } from '@blueprintjs/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/side-drawer/section.tsx'

type CacheFieldProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void }>

/** Whether equal requests of the token may get an answer it has had (docs/reference/cache.md). */
export function CacheField({ isOn, onChange }: CacheFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <Section title={t('token.section.cache')}>
      <FormGroup helperText={<span id={id}>{t('token.cacheHint')}</span>}>
        <Switch
          label={t('token.cache')}
          checked={isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={id}
        />
      </FormGroup>
    </Section>
  )
}
