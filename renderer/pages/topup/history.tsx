import { Classes } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { log } from '../../../shared/api/log.ts'
import { wallet } from '../../../shared/api/wallet.ts'
import { logType } from '../../../shared/enums.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { WalletSection } from './wallet-section.tsx'

/** The last five entries, of any time. */
const lastOnes = {
  type: logType.topUp,
  token_name: '',
  model_name: '',
  group: '',
  start_timestamp: 0,
  end_timestamp: 0,
  p: 1,
  page_size: 5,
}

/** The last additions to the balance, by codes and payments; the log has all of them. */
export function History() {
  const { t } = useTranslation()
  // Refreshed with the rest of the wallet.
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    queryKey: [areaOf(wallet.redeem), log.own.path],
    queryFn: ({ signal }) => send(log.own, { query: lastOnes }, { quiet: true, signal }),
  })
  const rows = data?.items ?? []
  const retry = () => void refetch()
  return (
    <WalletSection title={t('wallet.history')}>
      {!data && error && <FailedState scope="section" message={error.message} onRetry={retry} />}
      {!data && !error && (
        <div className={`topup-history-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
      )}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={retry} />}
      {data && rows.length === 0 && <p className={Classes.TEXT_MUTED}>{t('wallet.noHistory')}</p>}
      {rows.length > 0 && (
        <ul className="topup-history">
          {rows.map(({ id, created_at: at, content }) => (
            <li key={id}>
              <TimeText at={at} />
              <span>{content}</span>
            </li>
          ))}
        </ul>
      )}
      <Link to={`/log?type=${logType.topUp}&from=`}>{t('wallet.allHistory')}</Link>
    </WalletSection>
  )
}
