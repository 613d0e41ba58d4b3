import { Button } from '@blueprintjs/core'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { useTranslation } from '../../../translation.ts'
import { useOptionStates } from '../use-option-states.ts'
import type { BoundOption } from './use-option-form.ts'

type SecretFieldProps = BoundOption &
  Readonly<{
    label: string
    hint?: string
  }>

/** A write-only value: sent only if typed, removed only on request. */
export function SecretField({ label, hint, ...field }: SecretFieldProps) {
  const { option, value, onValue, error, isRemoved, onRemove } = field
  const { t } = useTranslation()
  const isSet = useOptionStates().states?.get(option)?.is_set
  const unset = isSet === undefined ? '' : t('settings.secretUnset')
  const note = isRemoved ? t('settings.secretRemoved') : hint
  return (
    <TextField
      label={label}
      name={option}
      type="password"
      autoComplete="new-password"
      value={value}
      onValue={onValue}
      disabled={isRemoved}
      placeholder={isSet ? t('settings.secretStored') : unset}
      error={error}
      {...(note && { hint: note })}
      rightElement={
        isSet === false ? undefined : (
          <Button
            size="small"
            variant="minimal"
            text={t(isRemoved ? 'settings.secretKeep' : 'settings.secretRemove')}
            aria-label={t(isRemoved ? 'settings.secretKeepOf' : 'settings.secretRemoveOf', { label })}
            onClick={() => onRemove(!isRemoved)}
          />
        )
      }
    />
  )
}
