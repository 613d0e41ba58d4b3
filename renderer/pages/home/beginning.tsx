import { Card, Classes, H2 } from '@blueprintjs/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { type Overview, overview } from '../../../shared/api/overview.ts'
import { channelStatus } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { useAddress } from '../../api/use-address.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { Count } from '../../components/count.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { NextSteps } from './next-steps.tsx'

/**
 * The signed-in home page below the operator's content (`head`): today's usage, channel states and next steps
 * (docs/reference/screens.md#home).
 */
export default function Beginning({ head }: { head: ReactNode }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useOverview()
  const address = useAddress()
  return (
    <PageFrame title={t('label.home')}>
      {head}
      {error && !data && (
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && (
        <>
          <Usage overview={data} />
          {data.channels && <ChannelStates channels={data.channels} />}
          <NextSteps overview={data} />
        </>
      )}
      {/* Not before the content above, which would push it down. */}
      {(data || error) && (
        <p className={`home-base ${Classes.TEXT_MUTED}`}>
          {t('home.address')} <CopyValue value={address} label={t('home.copyAddress')} />{' '}
          {/* Without a client, a next step above has this link. */}
          {data?.has_requests && data.tokens !== 0 && <Link to="/connect/client">{t('home.step.clientGo')}</Link>}
        </p>
      )}
    </PageFrame>
  )
}

/** Usage since midnight; each figure links to the log. */
function Usage({ overview: { scope, usage } }: { overview: Overview }) {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const figures = [
    { id: 'requests', title: t('home.requests'), value: <Count of={usage.requests} /> },
    { id: 'errors', title: t('home.errors'), value: <Count of={usage.errors} />, isBad: usage.errors > 0 },
    { id: 'cost', title: t('home.cost'), value: amount(usage.quota) },
    { id: 'tokens', title: t('home.tokensUsed'), value: <Count of={usage.tokens} /> },
  ]
  return (
    <section className="home-section">
      <H2 className="home-heading">{t(scope === 'all' ? 'home.today' : 'home.todayOwn')}</H2>
      <dl className="home-figures">
        {figures.map(({ id, title, value, isBad }) => (
          <Card key={id} compact className="home-figure">
            <dt className={Classes.TEXT_MUTED}>{title}</dt>
            <dd className={`tabular ${isBad ? 'home-bad' : ''}`}>{value}</dd>
          </Card>
        ))}
      </dl>
      {usage.is_partial && <p className={Classes.TEXT_MUTED}>{t('home.partial')}</p>}
    </section>
  )
}

function ChannelStates({ channels }: { channels: NonNullable<Overview['channels']> }) {
  const { t } = useTranslation()
  const states = [
    { id: 'enabled', text: t('home.enabled', { n: channels.enabled }), isShown: true, status: channelStatus.enabled },
    { id: 'cooling', text: t('home.cooling', { n: channels.cooling }), isShown: channels.cooling > 0, status: 0 },
    {
      id: 'auto',
      text: t('home.autoDisabled', { n: channels.auto_disabled }),
      isShown: channels.auto_disabled > 0,
      status: channelStatus.autoDisabled,
    },
    {
      id: 'disabled',
      text: t('home.disabled', { n: channels.disabled }),
      isShown: channels.disabled > 0,
      status: channelStatus.disabled,
    },
  ]
  const shown = states.filter(({ isShown }) => isShown)
  return (
    <section className="home-section">
      <H2 className="home-heading">
        <Link to="/channel">{t('home.channels')}</Link>
      </H2>
      <ul className="home-states">
        {shown.map(({ id, text, status }) => (
          <li key={id} data-state={id}>
            {status === 0 ? text : <Link to={`/channel?status=${status}`}>{text}</Link>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As tall as the content. */
function Waiting() {
  const { t } = useTranslation()
  return (
    <div className="home-waiting" role="status" aria-label={t('state.loading')}>
      <div className={Classes.SKELETON} />
      <div className={Classes.SKELETON} />
    </div>
  )
}

const pollMs = 30_000

/** The overview since local midnight, refreshed twice a minute. */
const useOverview = (): UseQueryResult<Overview> =>
  usePolled({
    queryKey: [areaOf(overview.read), overview.read.path],
    read: (manner) => send(overview.read, { query: { since: midnight() } }, manner),
    everyMs: pollMs,
  })

/** Local midnight, in unix seconds. */
const midnight = (): number => Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
