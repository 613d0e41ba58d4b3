import { Button, Card, H2, ProgressBar } from '@blueprintjs/core'
import { useId } from 'react'
import { type LedgerCheckProgress, ledger } from '../../../shared/api/ledger.ts'
import { useSend } from '../../api/use-call.ts'
import { useTranslation } from '../../translation.ts'
import { useNumbers } from './numbers.ts'

/** How far the check on its way is; it can be cancelled. */
export function RunningCheck({ running }: { running: LedgerCheckProgress }) {
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
