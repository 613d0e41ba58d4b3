import { Button, H2 } from '@blueprintjs/core'
import { useState } from 'react'
import { type LedgerDifference, ledger } from '../../../shared/api/ledger.ts'
import { useSend } from '../../api/use-call.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { type FactColumn, FactTable } from './fact-table.tsx'
import { useNumbers } from './numbers.ts'

const kinds = { user: 'label.user', token: 'label.token', channel: 'label.channel' } as const
const figures = {
  quota: 'label.quota',
  used_quota: 'label.usedQuota',
  request_count: 'label.requestCount',
} as const satisfies Record<LedgerDifference['column'], string>

/** Mismatches with the figures of both sides, until acknowledged by an administrator. */
export function Differences({ differences }: { differences: readonly LedgerDifference[] }) {
  const { t } = useTranslation()
  const number = useNumbers()
  const [opened, setOpened] = useState<LedgerDifference | null>(null)
  const nameOf = ({ account, account_id: id, name }: LedgerDifference) =>
    name === '' ? `${t(kinds[account])} #${id}` : `${t(kinds[account])} ${name} (#${id})`
  const columns: readonly FactColumn<LedgerDifference>[] = [
    { id: 'account', title: t('ledger.account'), cell: nameOf },
    { id: 'figure', title: t('ledger.figure'), cell: ({ column }) => t(figures[column]) },
    { id: 'recorded', title: t('ledger.recorded'), isNumber: true, cell: ({ recorded }) => number(recorded) },
    { id: 'summed', title: t('ledger.summed'), isNumber: true, cell: ({ summed }) => number(summed) },
    {
      id: 'gap',
      title: t('ledger.gap'),
      isNumber: true,
      cell: ({ recorded, summed }) => number(String(BigInt(recorded) - BigInt(summed))),
    },
    { id: 'found', title: t('ledger.found'), cell: ({ found_at }) => <TimeText at={found_at} isShort /> },
    {
      id: 'act',
      title: t('list.actions'),
      cell: (one) => (
        <Button
          size="small"
          text={t('ledger.acknowledge')}
          aria-label={t('ledger.acknowledgeOne', { name: `${nameOf(one)}, ${t(figures[one.column])}` })}
          onClick={() => setOpened(one)}
        />
      ),
    },
  ]
  return (
    <section className="ledger-section">
      <H2 className="ledger-heading">{t('ledger.differences')}</H2>
      <FactTable label={t('ledger.differences')} columns={columns} rows={differences} />
      <AcknowledgeConfirmation one={opened} name={opened ? nameOf(opened) : ''} onEnd={() => setOpened(null)} />
    </section>
  )
}

type ConfirmationProps = Readonly<{ one: LedgerDifference | null; name: string; onEnd: () => void }>

function AcknowledgeConfirmation({ one, name, onEnd }: ConfirmationProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useSend(ledger.acknowledge)
  const confirm = () => one && mutate({ params: { id: one.id } }, { onSettled: onEnd })
  return (
    <Confirm
      isOpen={one !== null}
      question={t('ledger.acknowledgeAsk', { name })}
      verb={t('ledger.acknowledge')}
      isHarmless
      isBusy={isPending}
      onConfirm={confirm}
      onCancel={onEnd}
    >
      {t('ledger.acknowledgeHint')}
    </Confirm>
  )
}
