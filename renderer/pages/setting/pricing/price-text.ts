import { labelOf } from '../../../../shared/options/index.ts'
import { printed } from '../../../../shared/pricing.ts'
import { groupDigits } from '../../../components/count.tsx'
import type { Translate } from '../../../translation.ts'
import { type PriceRow, priceMaps } from './price-table.ts'

export function priceText(row: PriceRow | undefined, t: Translate): string {
  const parts = ([...priceMaps, 'ServiceTierRatio'] as const).flatMap((map) => {
    const value = row?.[map]
    return value === undefined ? [] : [t('priceEditor.named', { name: t(labelOf(map)), value: printed(value) })]
  })
  const steps = (row?.PriceSteps ?? []).map(({ above, input, output }) =>
    t('priceEditor.step', { above: groupDigits(above), input: printed(input), output: printed(output) }),
  )
  const all = [...parts, ...steps]
  return all.length === 0 ? t('priceEditor.noPrice') : all.join(t('priceEditor.between'))
}
