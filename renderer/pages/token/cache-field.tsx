import { FormGroup, Switch } from '@blueprintjs/core'
import { useId } from 'react'
import { useStatus } from '../../api/status.ts'
import { Section } from '../../components/side-drawer/section.tsx'
import { useTranslation } from '../../translation.ts'

type CacheFieldProps = Readonly<{ isOn: boolean; onChange: (isOn: boolean) => void }>

/**
 * Whether equal requests of the token may get an answer it has had (docs/reference/cache.md). While the operator has the cache
 * off it cannot be turned on, and says why.
 */
export function CacheField({ isOn, onChange }: CacheFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const { response_cache_enabled: isOffered = false } = useStatus()
  return (
    <Section title={t('token.section.cache')}>
      <FormGroup helperText={<span id={id}>{t(isOffered ? 'token.cacheHint' : 'token.cacheOff')}</span>}>
        <Switch
          label={t('token.cache')}
          checked={isOn}
          disabled={!isOffered && !isOn}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-describedby={id}
        />
      </FormGroup>
    </Section>
  )
}
