import { Button, Classes, SegmentedControl, Switch } from '@blueprintjs/core'
import { Help } from '@blueprintjs/icons'
import type { PriceFacts } from '../../../shared/api/pricing.ts'
import { printed } from '../../../shared/pricing.ts'
import { Popover } from '../../components/popover/popover.tsx'
import { useTranslation } from '../../translation.ts'
import { unitPrice } from './banner.tsx'
import type { Display } from './use-display.ts'

/** Display options: ratios, and the cost of buying the quota in dollars or yuan, if it can be bought. */
export function Controls({ display, facts }: Readonly<{ display: Display; facts: PriceFacts }>) {
  const { t } = useTranslation()
  return (
    <div className="pricing-controls">
      <span className="pricing-ratio-switch">
        <Switch
          label={t('pricing.showRatios')}
          checked={display.hasRatios}
          onChange={({ currentTarget }) => display.showRatios(currentTarget.checked)}
        />
        <AboutRatios facts={facts} />
      </span>
      {display.canRecharge && (
        <>
          <Switch
            label={t('pricing.recharge')}
            title={t('pricing.rechargeHint', { price: printed(display.rechargePrice) })}
            checked={display.isRecharge}
            onChange={({ currentTarget }) => display.showRecharge(currentTarget.checked)}
          />
          <SegmentedControl
            size="small"
            aria-label={t('pricing.currency')}
            options={currencies.map((value) => ({ value, label: value }))}
            value={display.currency}
            onValueChange={(value) => display.showIn(value === 'CNY' ? 'CNY' : 'USD')}
          />
        </>
      )}
    </div>
  )
}

const currencies = ['USD', 'CNY'] as const

function AboutRatios({ facts }: { facts: PriceFacts }) {
  const { t } = useTranslation()
  const unit = unitPrice(facts)
  const content = (
    <div className="pricing-about" role="dialog" aria-label={t('pricing.aboutRatios')}>
      <p>{t('pricing.aboutRatios.model', { unit })}</p>
      <p>{t('pricing.aboutRatios.completion')}</p>
      <p>{t('pricing.aboutRatios.group')}</p>
    </div>
  )
  return (
    <Popover placement="bottom" middleware={awayFromEdges} content={content}>
      <Button
        className={Classes.TEXT_MUTED}
        variant="minimal"
        icon={<Help />}
        aria-label={t('pricing.aboutRatios')}
        title={t('pricing.aboutRatios')}
      />
    </Popover>
  )
}

const awayFromEdges = { shift: { padding: 8 } }
