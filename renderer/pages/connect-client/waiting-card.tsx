import { Callout, Classes } from '@blueprintjs/core'
import { Error as ErrorIcon, TickCircle, Time } from '@blueprintjs/icons'
import * as z from 'zod/mini'
import type { LastCall } from '../../../shared/api/first-call.ts'
import type { LogView } from '../../../shared/api/log.ts'
import { parsed } from '../../../shared/json.ts'
import { formatQuota } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { formatTime } from '../../components/date-time.ts'
import { ErrorHelp } from '../../components/error-help/error-help.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useTranslation } from '../../translation.ts'
import type { LastRequest } from './use-last-request.ts'

/** Decimals of the cost of a call, which is often small (docs/reference/screens.md#formats-and-colors). */
const costDigits = 6

/** Waits for the token's first call; then shows the newest charged call in green, or the newest failure in red. */
export function WaitingCard({ last }: { last: LastRequest | undefined }) {
  const { t } = useTranslation()
  if (last?.failure) return <Failed failure={last.failure} />
  if (last?.call) return <Arrived call={last.call} />
  return (
    <Callout className={`waiting-card ${last ? '' : Classes.SKELETON}`} icon={false} role="status">
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

function Failed({ failure: { content, model_name: model, group, other, created_at: at } }: { failure: LogView }) {
  const { t } = useTranslation()
  const { error_code: code } = facts.parse(parsed(other))
  return (
    <Callout className="waiting-card" intent="danger" icon={false} role="status">
      <div className="waiting-card-head">
        <ErrorIcon size={20} />
        <strong>{t('client.lastFailed')}</strong>
      </div>
      <div className="waiting-card-problem">{content}</div>
      <div className="tabular">{model ? `${model} · ${formatTime(at)}` : formatTime(at)}</div>
      <ErrorHelp code={code} model={model} group={group} hasOwnToken />
      <LinkButton to="/log" text={t('client.toLog')} isFilled />
    </Callout>
  )
}

const facts = z.catch(z.object({ error_code: z.string() }), { error_code: '' })
