import './pricing.css'
import { Button, Card, Classes } from '@blueprintjs/core'
import { Calculator } from '@blueprintjs/icons'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { later } from '../../components/later.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { PriceTable } from './price-table.tsx'
import { groupIn } from './priced-model.ts'
import { usePrices } from './use-prices.ts'
import { useShown } from './use-shown.ts'

const EstimateDrawer = later(async () => (await import('./estimate/estimate-drawer.tsx')).EstimateDrawer)

/** Public model prices, and "What would this request cost?" (docs/reference/screens.md#pricing). */
export default function PricingPage() {
  const { t } = useTranslation()
  const [shown, change] = useShown()
  const prices = usePrices()
  const openEstimate = (
    <Button
      intent="primary"
      icon={<Calculator />}
      text={t('estimate.title')}
      disabled={!prices.data}
      onClick={() => change({ cost: '' })}
    />
  )
  return (
    <PageFrame title={t('label.pricing')} action={openEstimate} isWide>
      {prices.data && <PriceTable prices={prices.data} source={prices} shown={shown} change={change} />}
      {!prices.data && prices.error && (
        <Card className="pricing-failed">
          <FailedState message={prices.error.message} onRetry={() => void prices.refetch()} />
        </Card>
      )}
      {prices.isLoading && <Waiting />}
      {prices.data && shown.cost !== undefined && (
        <EstimateDrawer
          model={shown.cost}
          group={groupIn(prices.data.facts, shown.group)}
          prices={prices.data}
          onClose={() => change({ cost: undefined })}
        />
      )}
    </PageFrame>
  )
}

/** Placeholder, as tall as the banner, filters and a short list, to reduce layout shift. */
function Waiting() {
  const { t } = useTranslation()
  return (
    <div className="pricing-waiting" role="status" aria-label={t('state.loading')}>
      {['banner', 'filters', 'list'].map((part) => (
        <div key={part} className={Classes.SKELETON} />
      ))}
    </div>
  )
}
