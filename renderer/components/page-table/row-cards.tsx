import { Card, Classes } from '@blueprintjs/core'
import type { MouseEvent } from 'react'
import { useTranslation } from '../../translation.ts'
import { Select } from '../select.tsx'
import { type Column, childrenOf, type ListView, type Sorting } from './list-view.ts'
import { PageCheck, RowCheck } from './row-check.tsx'
import { RowOpener } from './row-opener.tsx'
import { type OpenRows, useOpenRows } from './use-open-rows.ts'

/** Rows as cards, for a phone: the first column is the heading next to the row's menu, the others follow by name. */
export function RowCards<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const open = useOpenRows(view)
  return (
    <>
      {view.sorting && <SortChoice columns={view.columns} sorting={view.sorting} />}
      {view.selection && (
        <div className="page-table-choose-all">
          <PageCheck view={view} rows={rows} />
          <span aria-hidden>{t('list.chooseAll')}</span>
        </div>
      )}
      <ul className="page-table-cards" aria-label={view.label}>
        {rows.map((row) => (
          <RowCard key={view.keyOf(row)} view={view} row={row} open={open} />
        ))}
      </ul>
      <TotalCard view={view} rows={rows} />
    </>
  )
}

type SortChoiceProps<Row> = Readonly<{ columns: readonly Column<Row>[]; sorting: Sorting }>

/** The sort order; in a table, the headings offer it. */
function SortChoice<Row>({ columns, sorting }: SortChoiceProps<Row>) {
  const { t } = useTranslation()
  const options = columns.flatMap(({ title: name, sort }) =>
    sort
      ? [
          { value: sort, label: t('list.ascending', { name }) },
          { value: `-${sort}`, label: t('list.descending', { name }) },
        ]
      : [],
  )
  return (
    <Select
      aria-label={t('list.sort')}
      value={sorting.order}
      onChange={(event) => sorting.sortBy(event.currentTarget.value)}
      options={[{ value: '', label: t('list.ownOrder') }, ...options]}
    />
  )
}

type RowCardProps<Row> = Readonly<{ view: ListView<Row>; row: Row; open: OpenRows<Row> }>

function RowCard<Row>({ view, row, open }: RowCardProps<Row>) {
  const [heading, ...columns] = view.columns
  const canOpen = (view.detail || view.childrenOf) && open.canOpen(row)
  const children = open.isOpen(row) ? childrenOf(view, row) : []
  return (
    <li>
      <Card
        className={[view.isMuted?.(row) && Classes.TEXT_MUTED, canOpen && 'page-table-card-opens']
          .filter(Boolean)
          .join(' ')}
        onClick={(event) => canOpen && isOnFreeArea(event) && open.toggle(row)}
      >
        <div className="page-table-card-head">
          <RowCheck view={view} row={row} />
          <RowOpener view={view} row={row} open={open} />
          <strong>{heading?.cell(row)}</strong>
          {view.actions?.(row)}
        </div>
        {view.card ? view.card(row) : <Cells columns={columns} row={row} />}
        {open.isOpen(row) && <div className="page-table-card-detail">{view.detail?.(row)}</div>}
      </Card>
      {children.length > 0 && (
        <ul className="page-table-cards page-table-child-cards">
          {children.map((child) => (
            <RowCard key={view.keyOf(child)} view={view} row={child} open={open} />
          ))}
        </ul>
      )}
    </li>
  )
}

/** Whether a click is outside of controls, an open row's details and popovers, and does not end a text selection. */
const isOnFreeArea = ({ target, currentTarget }: MouseEvent): boolean =>
  target instanceof Element &&
  currentTarget.contains(target) &&
  target.closest('a, button, input, label, .bp6-popover-target, .page-table-card-detail') === null &&
  (getSelection()?.isCollapsed ?? true)

function Cells<Row>({ columns, row }: { columns: readonly Column<Row>[]; row: Row }) {
  return (
    <dl>
      {columns.map(({ id, title, cell }) => (
        <div key={id}>
          <dt className={Classes.TEXT_MUTED}>{title}</dt>
          <dd className="tabular">{cell(row)}</dd>
        </div>
      ))}
    </dl>
  )
}

function TotalCard<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const columns = view.columns.filter(({ total }) => total)
  if (columns.length === 0) return null
  return (
    <Card className="page-table-total-card">
      <strong>{t('label.total')}</strong>
      <dl>
        {columns.map(({ id, title, total }) => (
          <div key={id}>
            <dt className={Classes.TEXT_MUTED}>{title}</dt>
            <dd className="tabular">{total?.(rows)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
