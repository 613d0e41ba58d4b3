import { Callout } from '@blueprintjs/core'
import type { LedgerState } from '../../../shared/api/ledger.ts'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'

/** What the last check that came to its end says, in one sentence. */
export function Verdict({ state: { checks, differences } }: { state: LedgerState }) {
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
        <strong>{t(last.differences === 1 ? 'ledger.differsOne' : 'ledger.differs', { n: last.differences })}</strong>{' '}
        {when}
        <div>{t(differences.length > 0 ? 'ledger.differsHint' : 'ledger.allAcknowledged')}</div>
      </Callout>
    )
  return (
    <Callout intent="success" role="status">
      {t('ledger.agrees')} {when}
    </Callout>
  )
}
