import './price-form.css'
import { Button, FormGroup, InputGroup } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useId, useState } from 'react'
import { useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'
import { DollarSign } from '../text-field/dollar-sign.tsx'
import { showSuccess } from '../toasts.ts'
import { savePrice } from './save-price.ts'

export function PriceForm({ model }: { model: string }) {
  const { t } = useTranslation()
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const queries = useQueryClient()
  const id = useId()
  const [input, setInput] = useState('')
  const [output, setOutput] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isWhole = isPrice(input) && isPrice(output)
  const save = async () => {
    if (!isWhole) return
    setBusy(true)
    try {
      await savePrice({ model, input: Number(input), output: Number(output) }, quotaPerUnit)
      showSuccess(t('price.saved', { model }))
      await queries.invalidateQueries()
    } catch {
      // The call has shown the error in a toast; the input stays.
    } finally {
      setBusy(false)
    }
  }
  /** Saves on Enter. The price may be inside another form, which Enter must not submit. */
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    void save()
  }
  const field = (name: 'input' | 'output', value: string, onValue: (value: string) => void) => (
    <FormGroup className="price-form-field" label={t(`price.${name}`)} labelFor={`${id}-${name}`}>
      <InputGroup
        id={`${id}-${name}`}
        inputMode="decimal"
        leftElement={<DollarSign />}
        value={value}
        onValueChange={onValue}
        onKeyDown={saveByKey}
        aria-invalid={value !== '' && !isPrice(value)}
      />
    </FormGroup>
  )
  return (
    <fieldset className="price-form" aria-label={t('price.of', { model })}>
      <strong className="price-form-model">{model}</strong>
      {field('input', input, setInput)}
      {field('output', output, setOutput)}
      <Button text={t('price.save')} disabled={!isWhole} loading={isBusy} onClick={() => void save()} />
    </fieldset>
  )
}

/** Whether a typed price is above zero, and at most a plausible maximum that catches misplaced decimal points. */
function isPrice(text: string): boolean {
  const value = Number(text)
  return text.trim() !== '' && value > 0 && value <= 10_000
}
