import { Classes, Radio, RadioGroup } from '@blueprintjs/core'
import { useTranslation } from '../../../translation.ts'
import type { FieldsProps } from './fields.ts'

/** What becomes of several keys: a channel each, or one channel that uses them all. */
export function KeyUse({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <RadioGroup
      className="channel-key-use"
      label={t('keys.use')}
      selectedValue={draft.keyMode === 'pool' ? 'pool' : 'split'}
      onChange={(event) => onChange({ keyMode: event.currentTarget.value === 'pool' ? 'pool' : 'split' })}
    >
      {uses.map((use) => (
        <Radio
          key={use}
          value={use}
          labelElement={
            <>
              {t(`keys.${use}`)} <span className={Classes.TEXT_MUTED}>{t(`keys.${use}Hint`)}</span>
            </>
          }
        />
      ))}
    </RadioGroup>
  )
}

const uses = ['split', 'pool'] as const
