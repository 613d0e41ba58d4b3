import { Classes, Tag } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { printed } from '../../../shared/pricing.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { useGroupName } from '../../components/group-name.ts'
import type { Column } from '../../components/page-table/page-table.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { useCardWidth } from '../../components/use-narrow.ts'
import { VendorMark } from '../../components/vendor-mark/vendor-mark.tsx'
import { useTranslation } from '../../translation.ts'
import { GroupTag } from './group-tag.tsx'
import { PriceCell } from './price-cell.tsx'
import { hasPrice, type PricedModel, priceIn } from './priced-model.ts'
import type { Display } from './use-display.ts'

type PricingColumns = Readonly<{
  facts: PriceFacts
  group: string
  display: Display
  onGroup: (group: string) => void
}>

/** The columns of docs/reference/screens.md#pricing; the name is first, because it is the heading of cards. */
export function usePricingColumns({ facts, group, display, onGroup }: PricingColumns): readonly Column<PricedModel>[] {
  const { t } = useTranslation()
  const isCard = useCardWidth()
  const ratio = facts.group_ratio[group] ?? 1
  return useMemo(() => {
    const availability: Column<PricedModel> = {
      id: 'availability',
      title: t('label.availability'),
      cell: (row) => <AvailabilityCell row={row} group={group} />,
    }
    const name: Column<PricedModel> = { id: 'name', title: t('label.model'), cell: (row) => <NameCell row={row} /> }
    const ratios: Column<PricedModel> = {
      id: 'ratios',
      title: t('pricing.ratios'),
      isSecondary: true,
      cell: (row) => (hasPrice(row) ? <RatioCell row={row} ratio={ratio} /> : <NoPrice />),
    }
    return [
      ...(isCard ? [name, availability] : [availability, name]),
      {
        id: 'billing',
        title: t('label.billingType'),
        isSecondary: true,
        cell: (row) => (hasPrice(row) ? <BillingCell row={row} /> : <NoPrice />),
      },
      {
        id: 'groups',
        title: t('pricing.availableGroups'),
        isSecondary: true,
        cell: (row) => <GroupsCell row={row} facts={facts} group={group} onGroup={onGroup} />,
      },
      ...(display.hasRatios ? [ratios] : []),
      {
        id: 'price',
        title: t('label.price'),
        isNumeric: true,
        cell: (row) =>
          hasPrice(row) ? (
            <PriceCell price={priceIn(row, ratio, facts.quota_per_unit)} display={display} />
          ) : (
            <NoPrice />
          ),
      },
    ]
  }, [t, isCard, facts, group, ratio, display, onGroup])
}

/** The availability column explains why there is no price. */
const NoPrice = () => <span className={Classes.TEXT_MUTED}>—</span>

function AvailabilityCell({ row: { availability }, group }: Readonly<{ row: PricedModel; group: string }>) {
  const { t } = useTranslation()
  const name = useGroupName()(group)
  const intent = availabilityIntents[availability]
  return (
    <StatusTag
      intent={intent}
      text={t(`pricing.${availability}`)}
      tooltip={t(`pricing.${availability}Hint`, { group: name })}
    />
  )
}

const availabilityIntents = { available: 'success', otherGroup: 'none', unpriced: 'warning' } as const

function NameCell({ row: { model_name, vendor } }: { row: PricedModel }) {
  const { t } = useTranslation()
  return (
    <span className="pricing-name">
      {vendor && <VendorMark type={vendor} />}
      <CopyValue value={model_name} label={t('pricing.copyName', { name: model_name })} />
    </span>
  )
}

function BillingCell({ row: { quota_type } }: { row: PricedModel }) {
  const { t } = useTranslation()
  return <Tag minimal>{t(quota_type === 1 ? 'label.billingPerCall' : 'label.billingPerUse')}</Tag>
}

type GroupsCellProps = Readonly<{
  row: PricedModel
  facts: PriceFacts
  group: string
  onGroup: (group: string) => void
}>

function GroupsCell({ row, facts, group, onGroup }: GroupsCellProps) {
  return (
    <span className="pricing-groups">
      {row.enable_groups.map((name) => (
        <GroupTag
          key={name}
          group={name}
          ratio={facts.group_ratio[name] ?? 1}
          isChosen={name === group}
          onChoose={onGroup}
        />
      ))}
    </span>
  )
}

function RatioCell({ row, ratio }: Readonly<{ row: PricedModel; ratio: number }>) {
  const { t } = useTranslation()
  const group = t('pricing.ratio.group', { ratio: printed(ratio) })
  if (row.quota_type === 1) return <span className="pricing-price tabular">{group}</span>
  return (
    <span className="pricing-price tabular">
      <span>{t('pricing.ratio.model', { ratio: printed(row.model_ratio) })}</span>
      <span>{t('pricing.ratio.completion', { ratio: printed(row.completion_ratio) })}</span>
      <span>{group}</span>
    </span>
  )
}
