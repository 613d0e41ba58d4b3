import { FormGroup, NumericInput } from '@blueprintjs/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Presets } from '../../components/presets/presets.tsx'
import { mostTokens } from './draft.ts'

type CountFieldProps = Readonly<{
  value: number | undefined
  onValue: (value: number | undefined) => void
  error?: string | undefined
}>

/** How many tokens to make at once (specification 3 §2). */
export function CountField({ value, onValue, error }: CountFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const note = error ?? (value !== undefined && value > 1 ? t('token.countHint') : undefined)
  const intent = error ? 'danger' : 'none'
  return (
    <>
      <FormGroup
        label={t('token.count')}
        labelFor={id}
        intent={intent}
        helperText={note && <span id={`${id}-note`}>{note}</span>}
      >
        <NumericInput
          id={id}
          fill
          buttonPosition="none"
          min={1}
          max={mostTokens}
          minorStepSize={null}
          intent={intent}
          value={value ?? ''}
          onValueChange={(count, text) => onValue(text !== '' && Number.isInteger(count) ? count : undefined)}
          aria-invalid={error !== undefined}
          aria-describedby={note && `${id}-note`}
        />
      </FormGroup>
      <Presets
        label={t('token.countPresets')}
        presets={usualCounts.map((count) => ({ text: String(count), value: () => count }))}
        onChoose={onValue}
      />
    </>
  )
}

const usualCounts = [10, 20, 30, 100] as const
