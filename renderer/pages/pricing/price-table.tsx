import { Button, Classes } from '@blueprintjs/core'
import { Calculator, Dollar, Duplicate, Edit } from '@blueprintjs/icons'
import { useCallback, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useLocalPage } from '../../api/use-local-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { type ListView, PageTable } from '../../components/page-table/page-table.tsx'
import { useTranslation } from '../../translation.ts'
import { AllPrices } from './all-prices.tsx'
import { Banner } from './banner.tsx'
import { usePricingColumns } from './columns.tsx'
import { Controls } from './controls.tsx'
import { Filters, OTHERS } from './filters.tsx'
import { findModels } from './find-models.ts'
import { groupIn, inOrder, modelsFor, type PricedModel } from './priced-model.ts'
import { useDisplay } from './use-display.ts'
import type { Prices, usePrices } from './use-prices.ts'
import type { Shown } from './use-shown.ts'

type PriceTableProps = Readonly<{
  prices: Prices
  source: ReturnType<typeof usePrices>
  shown: Shown
  change: (change: Partial<Shown>) => void
}>

export function PriceTable({ prices: { models, facts }, source, shown, change }: PriceTableProps) {
  const group = groupIn(facts, shown.group)
  const display = useDisplay()
  const all = useMemo(() => modelsFor(models, facts, group), [models, facts, group])
  const typed = useDeferredValue(shown.typed)
  const found = useMemo(() => {
    const ofVendor = shown.vendor === '' ? all : all.filter(({ vendor }) => (vendor ?? OTHERS) === shown.vendor)
    return inOrder(findModels(ofVendor, typed), shown.order)
  }, [all, typed, shown.vendor, shown.order])
  const page = useLocalPage(found, { subject: `${typed} ${shown.vendor} ${group} ${shown.order}`, source })
  const [chosen, setChosen] = useState<ReadonlySet<string | number>>(new Set())
  const onGroup = useCallback((next: string) => change({ group: next }), [change])
  const onCost = useCallback((cost: string) => change({ cost }), [change])
  const columns = usePricingColumns({ facts, group, display, onGroup })
  const mayEdit = useUser()?.role === role.root
  const { t } = useTranslation()
  const view: ListView<PricedModel> = useMemo(
    () => ({
      label: t('label.pricing'),
      columns,
      keyOf: ({ model_name }) => model_name,
      isMuted: ({ availability }) => availability !== 'available',
      selection: { chosen, choose: setChosen },
      detail: (row) => <AllPrices row={row} facts={facts} group={group} display={display} />,
      actions: (row) => (
        <>
          {mayEdit && <EditLink name={row.model_name} />}
          <CostButton name={row.model_name} onCost={onCost} />
        </>
      ),
    }),
    [t, columns, chosen, facts, group, display, onCost, mayEdit],
  )
  const miss = (
    <NoMatch
      icon={<Dollar size={48} />}
      title={t('pricing.noMatch')}
      description={t('pricing.noMatchHint')}
      onClear={() => change({ typed: '', vendor: '' })}
    />
  )
  const isNarrowed = shown.typed !== '' || shown.vendor !== ''
  return (
    <>
      <Banner facts={facts} group={group} />
      <Filters shown={shown} change={change} models={all} facts={facts} group={group} />
      <div className="pricing-above">
        <Controls display={display} facts={facts} />
        <CopyChosen models={all} chosen={chosen} />
      </div>
      <PageTable view={view} page={page} empty={isNarrowed ? miss : <NoModels />} />
    </>
  )
}

/** Opens the model's price in the settings. */
function EditLink({ name }: { name: string }) {
  const { t } = useTranslation()
  const label = t('pricing.editOf', { name })
  const to = `/setting?${new URLSearchParams({ tab: 'operation', model: name })}`
  return (
    <Link
      className={[Classes.BUTTON, Classes.MINIMAL, Classes.SMALL].join(' ')}
      to={to}
      aria-label={label}
      title={label}
    >
      <Edit />
    </Link>
  )
}

function CostButton({ name, onCost }: Readonly<{ name: string; onCost: (name: string) => void }>) {
  const { t } = useTranslation()
  const label = t('estimate.of', { name })
  return (
    <Button
      size="small"
      variant="minimal"
      icon={<Calculator />}
      aria-label={label}
      title={label}
      onClick={() => onCost(name)}
    />
  )
}

/** Copies the names of the selected models, comma-separated as model fields accept them. */
function CopyChosen({
  models,
  chosen,
}: Readonly<{ models: readonly PricedModel[]; chosen: ReadonlySet<string | number> }>) {
  const { t } = useTranslation()
  const { copy, dialog } = useCopy()
  const names = models.map(({ model_name }) => model_name).filter((name) => chosen.has(name))
  const n = names.length
  return (
    <>
      <Button
        icon={<Duplicate />}
        text={t('pricing.copy', { n })}
        disabled={n === 0}
        onClick={() => copy(names.join(','), n === 1 ? names[0] : t('pricing.copied', { n }))}
      />
      {dialog}
    </>
  )
}

function NoModels() {
  const { t } = useTranslation()
  return <BlankState icon={<Dollar size={48} />} title={t('pricing.none')} description={t('pricing.noneHint')} />
}
