import { HTMLTable } from '@blueprintjs/core'
import { CaretDown, CaretUp, DoubleCaretVertical } from '@blueprintjs/icons'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../translation.ts'
import { Sideways } from '../sideways/sideways.tsx'
import type { Column, ListView } from './list-view.ts'
import { PageCheck } from './row-check.tsx'
import { TableRow } from './table-row.tsx'
import { useFold } from './use-fold.ts'
import { useOpenRows } from './use-open-rows.ts'

export function RowTable<Row>({ view: original, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const view = useFold(original, box)
  const { sorted, directionOf, turn: cycle } = useSort(view.columns, rows)
  const open = useOpenRows(view)
  return (
    <div ref={box}>
      <Sideways className="page-table-card" label={view.label}>
        <HTMLTable className="page-table-rows" compact aria-label={view.label}>
          <thead>
            <tr>
              {view.selection && (
                <th scope="col" className="page-table-check-cell">
                  <PageCheck view={view} rows={rows} />
                </th>
              )}
              {view.columns.map((column) => (
                <Heading key={column.id} column={column} direction={directionOf(column.id)} onTurn={cycle} />
              ))}
              {view.actions && (
                <th scope="col" className="page-table-actions">
                  <span className="page-table-spoken">{t('list.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row) => (
              <TableRow key={view.keyOf(row)} view={view} row={row} open={open} />
            ))}
          </tbody>
          <TotalRow view={view} rows={rows} />
        </HTMLTable>
      </Sideways>
    </div>
  )
}

type HeadingProps<Row> = Readonly<{
  column: Column<Row>
  direction: 'ascending' | 'descending' | 'none'
  onTurn: (id: string) => void
}>

function Heading<Row>({ column: { id, title, short, isNumeric, sort }, direction, onTurn }: HeadingProps<Row>) {
  const className = isNumeric ? 'page-table-number' : undefined
  if (!sort) {
    return (
      <th scope="col" className={className} title={short && title} aria-label={short && title}>
        {short ?? title}
      </th>
    )
  }
  const Arrow = arrows[direction]
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button type="button" className="page-table-sort" onClick={() => onTurn(id)}>
        {title}
        <Arrow aria-hidden />
      </button>
    </th>
  )
}

const arrows = { ascending: CaretUp, descending: CaretDown, none: DoubleCaretVertical } as const

function TotalRow<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const { columns, selection, actions } = view
  if (!columns.some(({ total }) => total)) return null
  return (
    <tfoot>
      <tr>
        {selection && <td />}
        {columns.map(({ id, total, isNumeric }, index) => (
          <td key={id} className={isNumeric ? 'page-table-number tabular' : undefined}>
            {total?.(rows) ?? (index === 0 && t('label.total'))}
          </td>
        ))}
        {actions && <td />}
      </tr>
    </tfoot>
  )
}

type Order = Readonly<{ id: string; isFalling: boolean }>

type Direction = 'ascending' | 'descending' | 'none'

/** The sorted rows; `turn` cycles from ascending to descending to unsorted. */
function useSort<Row>(columns: readonly Column<Row>[], rows: readonly Row[]) {
  const [order, setOrder] = useState<Order>()
  const sorted = useMemo(() => {
    const sort = columns.find(({ id }) => id === order?.id)?.sort
    if (!order || !sort) return rows
    return rows.toSorted((one, other) => (order.isFalling ? sort(other, one) : sort(one, other)))
  }, [columns, rows, order])
  const directionOf = (id: string): Direction => {
    if (order?.id !== id) return 'none'
    return order.isFalling ? 'descending' : 'ascending'
  }
  const cycle = (id: string) => {
    if (order?.id !== id) return setOrder({ id, isFalling: false })
    return setOrder(order.isFalling ? undefined : { id, isFalling: true })
  }
  return { sorted, directionOf, turn: cycle }
}
