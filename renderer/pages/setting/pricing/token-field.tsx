import { DollarSign } from '../../../components/text-field/dollar-sign.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import type { TextKey } from '../../../i18n.ts'
import { useTranslation } from '../../../translation.ts'
import type { outputByName, PriceFields, RatioMap } from './price-fields.ts'

type TokenFieldProps = Readonly<{
  map: RatioMap
  by: 'ratio' | 'price'
  fields: PriceFields
  /** The ratio and price that apply while the field is empty. */
  byName?: ReturnType<typeof outputByName> | undefined
  problem: TextKey | undefined
  onText: (map: RatioMap, text: string) => void
}>

/** A ratio with the resulting dollars below, or the reverse. */
export function TokenField({ map, by, fields, byName, problem, onText }: TokenFieldProps) {
  const { t } = useTranslation()
  const { ratios, prices } = fields
  const isRatio = by === 'ratio'
  const [asRatio, asPrice, unset] = texts[map]
  const other = isRatio ? prices[map] : ratios[map]
  const converted = isRatio
    ? t('priceEditor.isPrice', { price: `$${other}` })
    : t('priceEditor.isRatio', { ratio: other })
  const followed = byName && byName.price !== '' ? t('priceEditor.ratioByName', byName) : ''
  const emptied = isRatio ? t(unset) : followed
  const note = other === '' ? emptied : converted
  return (
    <TextField
      label={t(isRatio ? asRatio : asPrice)}
      inputMode="decimal"
      autoComplete="off"
      {...(isRatio ? {} : { leftElement: <DollarSign /> })}
      placeholder={byName?.[by] ?? ''}
      value={isRatio ? ratios[map] : prices[map]}
      onValue={(text) => onText(map, text)}
      error={problem && t(problem)}
      {...(note === '' ? {} : { hint: note })}
    />
  )
}

/** Labels as ratio and as price, and the default if unset (docs/reference/billing.md#price-lookup). */
const texts = {
  ModelRatio: ['priceEditor.ratioColumn', 'priceEditor.inputPrice', 'priceEditor.unsetModel'],
  CompletionRatio: ['priceEditor.completionColumn', 'priceEditor.outputPrice', 'priceEditor.unsetCompletion'],
  CacheRatio: ['priceEditor.cacheRatio', 'priceEditor.cachePrice', 'priceEditor.unsetCache'],
  CreateCacheRatio: ['priceEditor.createCacheRatio', 'priceEditor.createCachePrice', 'priceEditor.unsetCreateCache'],
  ImageRatio: ['priceEditor.imageRatio', 'priceEditor.imagePrice', 'priceEditor.unsetImage'],
  AudioRatio: ['priceEditor.audioRatio', 'priceEditor.audioPrice', 'priceEditor.unsetAudio'],
  AudioCompletionRatio: [
    'priceEditor.audioCompletionRatio',
    'priceEditor.audioCompletionPrice',
    'priceEditor.unsetAudio',
  ],
} as const satisfies Record<RatioMap, readonly [asRatio: TextKey, asPrice: TextKey, unset: TextKey]>
