import './ledger.css'
import { Button, Card, Classes } from '@blueprintjs/core'
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons'
import { type LedgerState, ledger } from '../../../shared/api/ledger.ts'
import { useSend } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { Checks } from './checks.tsx'
import { Differences } from './differences.tsx'
import { Retention } from './retention.tsx'
import { RunningCheck } from './running-check.tsx'
import { useLedger } from './use-ledger.ts'
import { Verdict } from './verdict.tsx'

/** Whether all balances agree with the ledger they are kept by, and how long its details and the usage log are kept. */
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
