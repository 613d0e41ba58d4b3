import './ledger.css'
import { Button, Callout, Card, Classes, H2, ProgressBar } from '@blueprintjs/core'
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId } from 'react'
import { type LedgerCheckProgress, type LedgerState, ledger } from '../../../shared/api/ledger.ts'
import { send } from '../../api/client.ts'
import { areaOf, useSend } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { Checks } from './checks.tsx'
import { Differences } from './differences.tsx'
import { useNumbers } from './numbers.ts'
import { Retention } from './retention.tsx'

/** Whether all balances match the ledger, and the retention of its details and of the usage log. */
export default function LedgerPage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useLedger()
  return (
    <PageFrame title={t('page.ledger')} action={<VerifyButtons isRunning={!data || data.running !== null} />}>
      <p className={`ledger-intro ${Classes.TEXT_MUTED}`}>{t('ledger.intro')}</p>
      {error && !data && (
        <Card className="ledger-blank">
          <BlankState
            icon={<ErrorIcon size={48} />}
            title={t('state.failed')}
            description={error.message}
            action={<Button icon={<Refresh />} text={t('state.retry')} onClick={() => void refetch()} />}
          />
        </Card>
      )}
      {!error && !data && <LedgerSkeleton />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && <LedgerSections state={data} />}
    </PageFrame>
  )
}

function LedgerSections({ state }: { state: LedgerState }) {
  return (
    <>
      {state.running && <RunningCheck running={state.running} />}
      <Verdict state={state} />
      {state.differences.length > 0 && <Differences differences={state.differences} />}
      <Checks checks={state.checks} />
      <Retention isCleaning={state.is_cleaning} cleanup={state.cleanup} />
    </>
  )
}

function VerifyButtons({ isRunning }: { isRunning: boolean }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(ledger.verify)
  const verify = (scope: 'new' | 'all') => () => mutate({ body: { scope } })
  const isDisabled = isRunning || isPending
  return (
    <div className="ledger-verify">
      <Button
        text={t('ledger.verifyAll')}
        title={t('ledger.verifyAllHint')}
        disabled={isDisabled}
        onClick={verify('all')}
      />
      <Button
        intent="primary"
        text={t('ledger.verifyNow')}
        title={t('ledger.verifyNowHint')}
        disabled={isDisabled}
        onClick={verify('new')}
      />
    </div>
  )
}

function LedgerSkeleton() {
  const { t } = useTranslation()
  return (
    <Card className="ledger-waiting" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c', 'd'].map((line) => (
        <div key={line} className={Classes.SKELETON} />
      ))}
    </Card>
  )
}

const pollMs = 1000

/** The ledger's state, polled each second while something is running. */
const useLedger = (): UseQueryResult<LedgerState> =>
  usePolled({
    queryKey: [areaOf(ledger.state), ledger.state.path],
    read: (manner) => send(ledger.state, {}, manner),
    everyMs: (data) => (data?.running || data?.is_cleaning ? pollMs : false),
  })

function Verdict({ state: { checks, differences } }: { state: LedgerState }) {
  const { t } = useTranslation()
  const last = checks.find(({ state }) => state !== 'cancelled')
  if (!last) return null
  const when = <TimeText at={last.ended_at} />
  if (last.state === 'failed')
    return (
      <Callout intent="danger" role="status">
        {t('ledger.failed')} {when}
      </Callout>
    )
  if (last.differences > 0)
    return (
      <Callout intent={differences.length > 0 ? 'danger' : 'warning'} role="status">
        <strong>{t('ledger.differs', { n: last.differences })}</strong> {when}
        <div>{t(differences.length > 0 ? 'ledger.differsHint' : 'ledger.allAcknowledged')}</div>
      </Callout>
    )
  return (
    <Callout intent="success" role="status">
      {t('ledger.agrees')} {when}
    </Callout>
  )
}

function RunningCheck({ running }: { running: LedgerCheckProgress }) {
  const { t } = useTranslation()
  const titleId = useId()
  const number = useNumbers()
  const { mutate, isPending } = useSend(ledger.cancel)
  const values = { rows: number(running.rows), accounts: number(running.accounts) }
  return (
    <Card className="ledger-running" role="region" aria-labelledby={titleId}>
      <div className="ledger-running-head">
        <H2 id={titleId} className="ledger-heading">
          {t(running.scope === 'all' ? 'ledger.runningAll' : 'ledger.runningNew')}
        </H2>
        <Button
          text={t('label.cancel')}
          aria-label={t('ledger.cancel')}
          disabled={running.is_cancelling}
          loading={isPending}
          onClick={() => mutate({})}
        />
      </div>
      <ProgressBar aria-labelledby={titleId} intent="primary" />
      <div className="tabular">{t('ledger.progress', values)}</div>
    </Card>
  )
}
