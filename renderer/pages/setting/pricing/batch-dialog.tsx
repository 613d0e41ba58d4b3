import { Button, Dialog, DialogBody, DialogFooter, FormGroup } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { labelOf } from '../../../../shared/options/index.ts'
import { typedNumber } from '../../../../shared/pricing.ts'
import { manageFocus } from '../../../api/focus-management.ts'
import { Form } from '../../../components/form/form.tsx'
import { Select } from '../../../components/select.tsx'
import { DollarSign } from '../../../components/text-field/dollar-sign.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import { type PriceMap, priceMaps } from './price-table.ts'

manageFocus()

/** The one or two fields to fill. */
export type BatchFill = Readonly<Partial<Record<PriceMap, string>>>

type BatchDialogProps = Readonly<{ models: number; onFill: (fill: BatchFill) => void; onClose: () => void }>

/** One value for all selected models, or both ratios at once. Mount it to open it. */
export function BatchDialog({ models, onFill, onClose }: BatchDialogProps) {
  const { t } = useTranslation()
  const id = useId()
  const [what, setWhat] = useState<What>('both')
  const [typed, setTyped] = useState<BatchFill>({})
  const [isChecked, setChecked] = useState(false)
  const maps = mapsOf(what)
  const errorOf = (map: PriceMap): TextKey | undefined => {
    const text = (typed[map] ?? '').trim()
    if (text === '') return 'price.batch_value'
    return typedNumber(text) === undefined ? 'option.bad_number' : undefined
  }
  const submit = () => {
    setChecked(true)
    if (maps.some((map) => errorOf(map))) return
    onFill(Object.fromEntries(maps.map((map) => [map, (typed[map] ?? '').trim()])))
    onClose()
  }
  return (
    <Dialog className="fits-window" title={t('priceEditor.batch')} isCloseButtonShown={false} isOpen onClose={onClose}>
      <Form onSubmit={submit}>
        <DialogBody>
          <p>{t('priceEditor.batchHint', { n: models })}</p>
          <FormGroup label={t('priceEditor.batchWhat')} labelFor={id}>
            <Select
              id={id}
              fill
              value={what}
              onChange={({ currentTarget }) => setWhat(priceMaps.find((map) => map === currentTarget.value) ?? 'both')}
              options={[
                { value: 'both', label: t('priceEditor.both') },
                ...priceMaps.map((map) => ({ value: map, label: t(labelOf(map)) })),
              ]}
            />
          </FormGroup>
          {maps.map((map) => {
            const error = isChecked ? errorOf(map) : undefined
            return (
              <TextField
                key={map}
                label={t(labelOf(map))}
                inputMode="decimal"
                autoComplete="off"
                {...(map === 'ModelPrice' && { leftElement: <DollarSign /> })}
                value={typed[map] ?? ''}
                onValue={(text) => setTyped({ ...typed, [map]: text })}
                error={error && t(error)}
              />
            )
          })}
        </DialogBody>
        <DialogFooter
          actions={
            <>
              <Button text={t('label.cancel')} onClick={onClose} />
              <Button type="submit" intent="primary" text={t('priceEditor.fill')} />
            </>
          }
        />
      </Form>
    </Dialog>
  )
}

type What = PriceMap | 'both'

const mapsOf = (what: What): readonly PriceMap[] => (what === 'both' ? ['ModelRatio', 'CompletionRatio'] : [what])
