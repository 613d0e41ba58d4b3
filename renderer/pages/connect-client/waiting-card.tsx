import { Callout } from '@blueprintjs/core'
import { TickCircle, Time } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { formatClock } from '../../components/moment.ts'
import { useFirstCall } from './use-first-call.ts'

/** A single call costs little (docs/reference/screens.md#formats-and-colours). */
const costDigits = 6

/** Waits for the first call from outside, and turns green when it has been accounted for. */
export function WaitingCard() {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const call = useFirstCall()
  if (!call)
    return (
      <Callout className="waiting-card" icon={false} role="status">
        <div className="waiting-card-head">
          <Time size={20} />
          <strong>{t('client.waiting')}</strong>
        </div>
        <div>{t('client.waitingHint')}</div>
      </Callout>
    )
  const { model, tokens, quota, at } = call
  const facts = {
    model,
    tokens,
    cost: formatQuota(quota, { inCurrency, quotaPerUnit }, costDigits),
    time: formatClock(at),
  }
  return (
    <Callout className="waiting-card" intent="success" icon={false} role="status">
      <div className="waiting-card-head">
        <TickCircle size={20} />
        <strong>{t('client.arrived')}</strong>
      </div>
      <div className="tabular">{t('client.arrivedFacts', facts)}</div>
      <LinkButton to="/log" text={t('client.toLog')} intent="success" isFilled />
    </Callout>
  )
}
