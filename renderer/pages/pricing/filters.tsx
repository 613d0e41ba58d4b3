import { Button, InputGroup } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useId } from 'react'
import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { type ChannelTypeName, channelTypeLabel, channelTypes } from '../../../shared/channel-types.ts'
import { Select } from '../../components/select.tsx'
import { VendorMark } from '../../components/vendor-mark/vendor-mark.tsx'
import { currentLocale, type TextKey } from '../../i18n.ts'
import { useTranslation } from '../../translation.ts'
import { GroupTag } from './group-tag.tsx'
import type { PricedModel } from './priced-model.ts'
import { orders, type Shown } from './use-shown.ts'

type FiltersProps = Readonly<{
  shown: Shown
  change: (change: Partial<Shown>) => void
  models: readonly PricedModel[]
  facts: PriceFacts
  group: string
}>

export function Filters({ shown, change, models, facts, group }: FiltersProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <search className="pricing-filters">
      <div className="pricing-line">
        <InputGroup
          className="pricing-find"
          type="search"
          leftIcon={<Search />}
          placeholder={t('pricing.find')}
          aria-label={t('pricing.find')}
          value={shown.typed}
          onValueChange={(typed) => change({ typed })}
        />
        <div className="pricing-order">
          <label htmlFor={id}>{t('pricing.sort')}</label>
          <Select
            id={id}
            value={shown.order}
            options={orders.map((value) => ({ value, label: t(`pricing.sort.${value}`) }))}
            onChange={({ currentTarget }) =>
              change({ order: orders.find((one) => one === currentTarget.value) ?? 'usual' })
            }
          />
        </div>
      </div>
      <Groups facts={facts} group={group} onChoose={(chosen) => change({ group: chosen })} />
      <Vendors models={models} chosen={shown.vendor} onChoose={(vendor) => change({ vendor })} />
    </search>
  )
}

type GroupsProps = Readonly<{ facts: PriceFacts; group: string; onChoose: (group: string) => void }>

function Groups({ facts, group, onChoose }: GroupsProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <fieldset className="pricing-line" aria-labelledby={id}>
      <span id={id}>{t('pricing.groups')}</span>
      {Object.entries(facts.group_ratio).map(([name, ratio]) => (
        <GroupTag key={name} group={name} ratio={ratio} isChosen={name === group} onChoose={onChoose} hasRatio />
      ))}
    </fieldset>
  )
}

/** Models whose maker cannot be derived from the name. */
export const OTHERS = 'other'

type VendorsProps = Readonly<{ models: readonly PricedModel[]; chosen: string; onChoose: (vendor: string) => void }>

/** The makers, by number of models, with icons; hidden if there is only one. */
function Vendors({ models, chosen, onChoose }: VendorsProps) {
  const { t } = useTranslation()
  const nameOf = useMakerName()
  const byVendor = [...Map.groupBy(models, ({ vendor }) => vendor)].sort(
    ([one, ones], [other, others]) =>
      Number(one === undefined) - Number(other === undefined) || others.length - ones.length,
  )
  if (byVendor.length < 2) return null
  return (
    <fieldset className="pricing-line pricing-vendors" aria-label={t('pricing.vendor')}>
      <VendorButton
        text={`${t('pricing.allVendors')} ${models.length}`}
        isChosen={chosen === ''}
        onChoose={() => onChoose('')}
      />
      {byVendor.map(([vendor, found]) => (
        <VendorButton
          key={vendor ?? OTHERS}
          vendor={vendor}
          text={`${nameOf(vendor)} ${found.length}`}
          isChosen={chosen === (vendor ?? OTHERS)}
          onChoose={() => onChoose(vendor ?? OTHERS)}
        />
      ))}
    </fieldset>
  )
}

type VendorButtonProps = Readonly<{
  vendor?: ChannelTypeName | undefined
  text: string
  isChosen: boolean
  onChoose: () => void
}>

function VendorButton({ vendor, text, isChosen, onChoose }: VendorButtonProps) {
  return (
    <Button
      size="small"
      variant="outlined"
      icon={vendor && <VendorMark type={vendor} size={14} />}
      text={text}
      active={isChosen}
      aria-pressed={isChosen}
      onClick={onChoose}
    />
  )
}

/** Makers whose channel type has another name: that of a product or an access method. */
const makers: ReadonlyMap<ChannelTypeName, TextKey> = new Map<ChannelTypeName, TextKey>([
  ['anthropic', 'pricing.maker.anthropic'],
  ['gemini', 'pricing.maker.gemini'],
  ['ali', 'pricing.maker.ali'],
  ['zhipu-v4', 'pricing.maker.zhipu-v4'],
  ['baidu', 'pricing.maker.baidu'],
  ['volcengine', 'pricing.maker.volcengine'],
  ['tencent', 'pricing.maker.tencent'],
  ['xunfei', 'pricing.maker.xunfei'],
  ['midjourney', 'pricing.maker.midjourney'],
  ['suno', 'pricing.maker.suno'],
  ['ollama', 'pricing.maker.ollama'],
  ['mokaai', 'pricing.maker.mokaai'],
  ['aws', 'pricing.maker.aws'],
  ['lingyiwanwu', 'pricing.maker.lingyiwanwu'],
])

/** A maker's display name; unknown ones are among the others. */
function useMakerName(): (vendor: ChannelTypeName | undefined) => string {
  const { t } = useTranslation()
  return (vendor) => {
    if (!vendor) return t('pricing.otherVendors')
    const key = makers.get(vendor)
    return key ? t(key) : channelTypeLabel(channelTypes[vendor], currentLocale())
  }
}
