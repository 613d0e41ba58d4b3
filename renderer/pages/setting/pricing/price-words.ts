import type { TFunction } from 'i18next'
import { labelOf } from '../../../../shared/options/index.ts'
import { printed } from '../../../../shared/pricing.ts'
import { type PriceRow, priceMaps } from './price-table.ts'

/** What a model costs in words: each number by its name. */
export function priceWords(row: PriceRow | undefined, t: TFunction): string {
  const parts = priceMaps.flatMap((map) => {
    const value = row?.[map]
    return value === undefined ? [] : [t('priceEditor.named', { name: t(labelOf(map)), value: printed(value) })]
  })
  return parts.length === 0 ? t('priceEditor.noPrice') : parts.join(t('priceEditor.between'))
}
