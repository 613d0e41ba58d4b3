import { Callout } from '@blueprintjs/core'
import { TickCircle, Time } from '@blueprintjs/icons'
import type { LastCall } from '../../../shared/api/first-call.ts'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { formatTime } from '../../components/date-time.ts'
import { LinkButton } from '../../components/link-button.tsx'
import { useTranslation } from '../../translation.ts'

/** A single call costs little (docs/reference/screens.md#formats-and-colors). */
const costDigits = 6

/** Waits for the first external call; shows the newest one in green once a call was charged. */
export function WaitingCard({ call }: { call: LastCall | null }) {
  const { t } = useTranslation()
  if (call) return <Arrived call={call} />
  return (
    <Callout className="waiting-card" icon={false} role="status">
      <div className="waiting-card-head">
        <Time size={20} />
        <strong>{t('client.waiting')}</strong>
      </div>
      <div>{t('client.waitingHint')}</div>
    </Callout>
  )
}

function Arrived({ call: { model, tokens, quota, at } }: { call: LastCall }) {
  const { t } = useTranslation()
  const { display_in_currency: inCurrency, quota_per_unit: quotaPerUnit } = useStatus()
  const time = formatTime(at)
  const cost = formatQuota(quota ?? 0, { inCurrency, quotaPerUnit }, costDigits)
  const hasDetails = model !== null && tokens !== null
  const facts = hasDetails
    ? t('client.lastFacts', { model, tokens: tokens.toLocaleString('en'), cost, time })
    : t('client.lastTime', { time })
  return (
    <Callout className="waiting-card" intent="success" icon={false} role="status">
      <div className="waiting-card-head">
        <TickCircle size={20} />
        <strong>{t('client.works')}</strong>
      </div>
      <div className="tabular">{facts}</div>
      <LinkButton to="/log" text={t('client.toLog')} intent="success" isFilled />
    </Callout>
  )
}
