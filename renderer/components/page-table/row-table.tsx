import { HTMLTable } from '@blueprintjs/core'
import { CaretDown, CaretUp, DoubleCaretVertical } from '@blueprintjs/icons'
import { useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { Sideways } from '../sideways/sideways.tsx'
import type { Column, ListView } from './list-view.ts'
import { PageCheck } from './row-check.tsx'
import { TableRow } from './table-row.tsx'
import { TotalRow } from './total-row.tsx'
import { useFold } from './use-fold.ts'
import { useOpenRows } from './use-open-rows.ts'
import { useSort } from './use-sort.ts'

/** Rows as a table whose head stays in sight; its actions are in the last column. */
export function RowTable<Row>({ view: whole, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const place = useRef<HTMLDivElement>(null)
  const view = useFold(whole, place)
  const { sorted, directionOf, turn } = useSort(view.columns, rows)
  const open = useOpenRows(view)
  return (
    <div ref={place}>
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
                <Heading key={column.id} column={column} direction={directionOf(column.id)} onTurn={turn} />
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

/** A heading, and a button where the column sorts. */
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
