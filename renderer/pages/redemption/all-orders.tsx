import { Button, InputGroup, Menu, MenuItem } from '@blueprintjs/core'
import { BankAccount, More, Search, Tick } from '@blueprintjs/icons'
import { useMemo, useState } from 'react'
import { type ManagedOrder, wallet } from '../../../shared/api/wallet.ts'
import { orderStatus, orderStatusLabel } from '../../../shared/enums.ts'
import { groupMoney } from '../../../shared/money.ts'
import { send } from '../../api/client.ts'
import { useSend } from '../../api/use-call.ts'
import { type Page, type PageQuery, type PageRows, usePage } from '../../api/use-page.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { NoMatch } from '../../components/blank-state/no-match.tsx'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { FilterBar } from '../../components/filter-bar/filter-bar.tsx'
import { useTyped } from '../../components/filter-bar/use-typed.ts'
import { useOrderColumns } from '../../components/orders/order-columns.tsx'
import { type Column, PageTable } from '../../components/page-table/page-table.tsx'
import { Popover } from '../../components/popover/popover.tsx'
import { Select } from '../../components/select.tsx'
import { showSuccess } from '../../components/toasts.ts'
import { useTranslation } from '../../translation.ts'

/** The orders' filter; empty texts do not filter. */
type OrderFilter = Readonly<{ keyword: string; username: string; status: string }>

const noFilter: OrderFilter = { keyword: '', username: '', status: '' }

/** All orders; one that was paid without a notification from the provider can be credited manually. */
export function AllOrders() {
  const { t } = useTranslation()
  const [filter, setFilter] = useState(noFilter)
  const page = useOrders(filter)
  const own = useOrderColumns()
  const view = useMemo(() => {
    const [first, ...others] = own
    const owner: Column<ManagedOrder> = {
      id: 'user',
      title: t('label.user'),
      cell: (row) => row.username || `#${row.user_id}`,
    }
    return {
      label: t('redemption.orders'),
      columns: first ? [first, owner, ...others] : [],
      keyOf: (row: ManagedOrder) => row.id,
      nameOf: (row: ManagedOrder) => row.trade_no,
      actions: (row: ManagedOrder) => row.status !== orderStatus.paid && <OrderMenu order={row} />,
    }
  }, [t, own])
  const icon = <BankAccount size={48} />
  const none =
    filter === noFilter ? (
      <BlankState icon={icon} title={t('order.none')} description={t('order.noneHint')} />
    ) : (
      <NoMatch
        icon={icon}
        title={t('order.noMatch')}
        description={t('order.noMatchHint')}
        onClear={() => setFilter(noFilter)}
      />
    )
  return (
    <>
      <OrderFilters filter={filter} onQuery={setFilter} />
      <PageTable view={view} page={page} empty={none} />
    </>
  )
}

const useOrders = (filter: OrderFilter): Page<ManagedOrder> => usePage(wallet.allOrders, filter, cutOrders)

async function cutOrders(query: PageQuery<OrderFilter>): Promise<PageRows<ManagedOrder>> {
  const { filter, index, size, manner } = query
  const { items, total } = await send(
    wallet.allOrders,
    { query: { ...filter, user_id: 0, p: index + 1, page_size: size } },
    manner,
  )
  return { rows: items, total }
}

type OrderFiltersProps = Readonly<{ filter: OrderFilter; onQuery: (filter: OrderFilter) => void }>

/** Filters by order, user and status; surrounding spaces are removed. */
function OrderFilters({ filter, onQuery }: OrderFiltersProps) {
  const { t } = useTranslation()
  const { typed, type } = useTyped(filter)
  const query = () => {
    const trimmed = { ...typed, keyword: typed.keyword.trim(), username: typed.username.trim() }
    onQuery(Object.values(trimmed).every((text) => text === '') ? noFilter : trimmed)
  }
  return (
    <FilterBar onQuery={query}>
      <InputGroup
        leftIcon={<Search />}
        placeholder={t('order.keyword')}
        aria-label={t('order.keyword')}
        value={typed.keyword}
        onValueChange={(keyword) => type({ ...typed, keyword })}
      />
      <InputGroup
        placeholder={t('order.username')}
        aria-label={t('order.username')}
        value={typed.username}
        onValueChange={(username) => type({ ...typed, username })}
      />
      <Select
        aria-label={t('label.status')}
        value={typed.status}
        onChange={(event) => type({ ...typed, status: event.currentTarget.value })}
        options={[
          { value: '', label: t('order.allStates') },
          ...Object.values(orderStatus).map((value) => ({ value, label: t(orderStatusLabel(value)) })),
        ]}
      />
    </FilterBar>
  )
}

/** Credits an order that the provider has not confirmed. */
function OrderMenu({ order }: { order: ManagedOrder }) {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  const [isConfirming, setConfirming] = useState(false)
  const { mutate, isPending } = useSend(wallet.complete)
  const label = t('order.actions', { id: order.trade_no })
  const credit = () =>
    mutate(
      { body: { trade_no: order.trade_no } },
      { onSuccess: () => showSuccess(t('order.done')), onSettled: () => setConfirming(false) },
    )
  return (
    <>
      <Popover
        isMenu
        content={
          <Menu aria-label={label}>
            <MenuItem icon={<Tick />} text={t('order.complete')} onClick={() => setConfirming(true)} />
          </Menu>
        }
      >
        <Button variant="minimal" icon={<More />} aria-label={label} />
      </Popover>
      <Confirm
        isHarmless
        isOpen={isConfirming}
        question={t('order.completeAsk', { name: order.username || `#${order.user_id}` })}
        verb={t('order.complete')}
        isBusy={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={credit}
      >
        {t('order.completeHint', { amount: format(order.quota), money: `¥${groupMoney(order.money)}` })}
      </Confirm>
    </>
  )
}
