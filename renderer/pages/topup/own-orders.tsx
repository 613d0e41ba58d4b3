import { BankAccount } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { type OrderView, wallet } from '../../../shared/api/wallet.ts'
import { send } from '../../api/client.ts'
import { type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { useOrderColumns } from '../../components/orders/order-columns.tsx'
import { PageTable } from '../../components/page-table/page-table.tsx'
import { useTranslation } from '../../translation.ts'
import { WalletSection } from './wallet-section.tsx'

export function OwnOrders() {
  const { t } = useTranslation()
  const columns = useOrderColumns()
  const page = usePage(wallet.orders, all, cutOrders)
  const view = useMemo(
    () => ({
      label: t('wallet.orders'),
      columns,
      keyOf: (row: OrderView) => row.id,
      nameOf: (row: OrderView) => row.trade_no,
    }),
    [t, columns],
  )
  const none = (
    <BlankState
      scope="section"
      icon={<BankAccount size={32} />}
      title={t('order.none')}
      description={t('order.ownNoneHint')}
    />
  )
  return (
    <WalletSection title={t('wallet.orders')}>
      <PageTable view={view} page={page} empty={none} />
    </WalletSection>
  )
}

const all = {}

async function cutOrders({ index, size, manner }: PageQuery<object>): Promise<PageRows<OrderView>> {
  const { items, total } = await send(wallet.orders, { query: { p: index + 1, page_size: size } }, manner)
  return { rows: items, total }
}
