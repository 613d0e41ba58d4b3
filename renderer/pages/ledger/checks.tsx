import { Card, H2, type Intent } from '@blueprintjs/core'
import { Endorsed } from '@blueprintjs/icons'
import type { LedgerCheck } from '../../../shared/api/ledger.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useDuration } from '../../components/use-duration.ts'
import { useTranslation } from '../../translation.ts'
import { type FactColumn, FactTable } from './fact-table.tsx'
import { useNumbers } from './numbers.ts'

export function Checks({ checks }: { checks: readonly LedgerCheck[] }) {
  const { t } = useTranslation()
  const number = useNumbers()
  const duration = useDuration()
  const by = ({ started_by: kind, username }: LedgerCheck) =>
    kind === 'user' ? username : t(kind === 'start' ? 'ledger.byStart' : 'ledger.bySchedule')
  const columns: readonly FactColumn<LedgerCheck>[] = [
    { id: 'time', title: t('label.time'), cell: ({ started_at }) => <TimeText at={started_at} isShort /> },
    { id: 'by', title: t('ledger.startedBy'), cell: by },
    { id: 'scope', title: t('ledger.scope'), cell: ({ scope }) => t(`ledger.scope.${scope}`) },
    { id: 'result', title: t('ledger.result'), cell: (check) => <Result check={check} /> },
    { id: 'rows', title: t('ledger.rows'), isNumber: true, cell: ({ ledger_rows }) => number(ledger_rows) },
    { id: 'accounts', title: t('ledger.accounts'), isNumber: true, cell: ({ accounts }) => number(accounts) },
    {
      id: 'took',
      title: t('ledger.took'),
      isNumber: true,
      cell: ({ took_ms }) => duration(took_ms),
    },
  ]
  return (
    <section className="ledger-section">
      <H2 className="ledger-heading">{t('ledger.checks')}</H2>
      {checks.length > 0 ? (
        <FactTable label={t('ledger.checks')} columns={columns} rows={checks} />
      ) : (
        <Card className="ledger-blank">
          <BlankState
            scope="section"
            icon={<Endorsed size={48} />}
            title={t('ledger.none')}
            description={t('ledger.noneHint')}
          />
        </Card>
      )}
    </section>
  )
}

function Result({ check: { state, differences } }: { check: LedgerCheck }) {
  const { t } = useTranslation()
  const found = t('ledger.foundMany', { n: differences })
  const text = state === 'done' && differences > 0 ? found : t(`ledger.state.${state}`)
  return <StatusTag intent={intentOf(state, differences)} text={text} />
}

function intentOf(state: LedgerCheck['state'], differences: number): Intent {
  if (state === 'cancelled') return 'none'
  return state === 'failed' || differences > 0 ? 'danger' : 'success'
}
