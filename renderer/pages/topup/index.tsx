import './topup.css'
import { Card, Classes } from '@blueprintjs/core'
import { user as calls, type UserView } from '../../../shared/api/user.ts'
import { useStatus } from '../../api/status.ts'
import { useCall } from '../../api/use-call.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { groupDigits } from '../../components/count.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { History } from './history.tsx'
import { OnlineTopUp } from './online.tsx'
import { OwnOrders } from './own-orders.tsx'
import { Redeem } from './redeem.tsx'
import { WalletSection } from './wallet-section.tsx'

/** The balance, and ways to top it up (docs/reference/screens.md#wallet). */
export default function WalletPage() {
  const { t } = useTranslation()
  const { data, error, refetch, dataUpdatedAt } = useCall(calls.self, {}, { quiet: true })
  const { enable_online_topup: isOnline } = useStatus()
  return (
    <PageFrame title={t('label.wallet')}>
      {error && !data && (
        <Card className="topup-blank">
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && (
        <>
          <Balance account={data} />
          <div className="topup-columns">
            <Redeem />
            <OnlineTopUp />
          </div>
          {isOnline && <OwnOrders />}
          <History />
        </>
      )}
    </PageFrame>
  )
}

function Balance({ account }: { account: UserView }) {
  const { t } = useTranslation()
  return (
    <WalletSection title={t('label.currentBalance')}>
      <dl className="topup-figures">
        <div>
          <dt className="topup-spoken">{t('label.currentBalance')}</dt>
          <dd className="topup-balance tabular">
            <Amount quota={account.quota} />
          </dd>
        </div>
        <div>
          <dt className={Classes.TEXT_MUTED}>{t('label.historicalConsumption')}</dt>
          <dd className="tabular">
            <Amount quota={account.used_quota} />
          </dd>
        </div>
      </dl>
    </WalletSection>
  )
}

/** An amount in the operator's unit, with the exact one on hover. */
function Amount({ quota }: { quota: number }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return <span title={t('quota.exact', { n: groupDigits(quota) })}>{format(quota)}</span>
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <div className="topup-waiting" role="status" aria-label={t('state.loading')}>
      <div className={Classes.SKELETON} />
      <div className={Classes.SKELETON} />
    </div>
  )
}
