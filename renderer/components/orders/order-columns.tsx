import './orders.css'
import type { Intent } from '@blueprintjs/core'
import { useMemo } from 'react'
import type { OrderView } from '../../../shared/api/wallet.ts'
import { orderStatus, orderStatusLabel } from '../../../shared/enums.ts'
import { groupMoney } from '../../../shared/money.ts'
import { useStatus } from '../../api/status.ts'
import { useTranslation } from '../../translation.ts'
import { useQuotaFormat } from '../amount.ts'
import { CopyValue } from '../copy-text/copy-value.tsx'
import { groupDigits } from '../count.tsx'
import type { Column } from '../page-table/page-table.tsx'
import { StatusTag } from '../status-tag/status-tag.tsx'
import { TimeText } from '../time-text/time-text.tsx'

/** Columns of orders, for users and administrators (docs/reference/screens.md#wallet). */
export function useOrderColumns(): readonly Column<OrderView>[] {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const { pay_methods: methods } = useStatus()
  return useMemo(
    () => [
      {
        id: 'order',
        title: t('order.tradeNo'),
        cell: (row) => (
          <span className="order-number">
            <CopyValue value={row.trade_no} label={t('order.copy')} />
          </span>
        ),
      },
      {
        id: 'status',
        title: t('label.status'),
        cell: (row) => <StatusTag intent={intents.get(row.status) ?? 'none'} text={t(orderStatusLabel(row.status))} />,
      },
      {
        id: 'quota',
        title: t('order.credited'),
        isNumeric: true,
        cell: (row) => <span title={t('quota.exact', { n: groupDigits(row.quota) })}>{format(row.quota)}</span>,
      },
      { id: 'money', title: t('order.paid'), isNumeric: true, cell: (row) => `¥${groupMoney(row.money)}` },
      {
        id: 'method',
        title: t('order.method'),
        isSecondary: true,
        cell: (row) => methods.find(({ type }) => type === row.payment_method)?.name ?? row.payment_method,
      },
      {
        id: 'created',
        title: t('label.created'),
        isSecondary: true,
        cell: (row) => <TimeText at={row.create_time} isShort />,
      },
      {
        id: 'completed',
        title: t('order.completed'),
        isSecondary: true,
        cell: (row) => <TimeText at={row.complete_time} isShort />,
      },
    ],
    [t, format, methods],
  )
}

/** Yellow while pending, green once paid. */
const intents: ReadonlyMap<string, Intent> = new Map<string, Intent>([
  [orderStatus.pending, 'warning'],
  [orderStatus.paid, 'success'],
])
