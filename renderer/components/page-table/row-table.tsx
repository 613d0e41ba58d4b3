import { HTMLTable } from '@blueprintjs/core'
import { CaretDown, CaretUp, DoubleCaretVertical } from '@blueprintjs/icons'
import { useRef } from 'react'
import { useTranslation } from '../../translation.ts'
import { Sideways } from '../sideways/sideways.tsx'
import type { Column, ListView, Sorting } from './list-view.ts'
import { PageCheck } from './row-check.tsx'
import { TableRow } from './table-row.tsx'
import { useFold } from './use-fold.ts'
import { useOpenRows } from './use-open-rows.ts'
import { useRowKeys } from './use-row-keys.ts'

export function RowTable<Row>({ view: original, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const view = useFold(original, box)
  const open = useOpenRows(view)
  const edit = (index: number) => {
    const row = rows[index]
    if (row !== undefined) view.edit?.(row)
  }
  useRowKeys(box, { canSelect: view.selection !== undefined, edit: view.edit && edit })
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
                <Heading key={column.id} column={column} sorting={view.sorting} />
              ))}
              {view.actions && (
                <th scope="col" className="page-table-actions">
                  <span className="page-table-spoken">{t('list.actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={view.keyOf(row)} view={view} row={row} open={open} />
            ))}
          </tbody>
          <TotalRow view={view} rows={rows} />
        </HTMLTable>
      </Sideways>
    </div>
  )
}

type HeadingProps<Row> = Readonly<{ column: Column<Row>; sorting: Sorting | undefined }>

function Heading<Row>({ column: { title, short, isNumeric = false, sort }, sorting }: HeadingProps<Row>) {
  const className = isNumeric ? 'page-table-number' : undefined
  if (!sort || !sorting) {
    return (
      <th scope="col" className={className} title={short && title} aria-label={short && title}>
        {short ?? title}
      </th>
    )
  }
  const { direction, next } = headingOrder(sort, sorting.order, isNumeric)
  const Arrow = arrows[direction]
  return (
    <th scope="col" className={className} aria-sort={direction}>
      <button
        type="button"
        className="page-table-sort"
        title={short && title}
        aria-label={short && named(short, title)}
        onClick={() => sorting.sortBy(next)}
      >
        {short ?? title}
        <Arrow aria-hidden />
      </button>
    </th>
  )
}

/** The accessible name of a heading's button; it must contain the visible text. */
const named = (short: string, title: string): string => (title.includes(short) ? title : `${short}: ${title}`)

const arrows = { ascending: CaretUp, descending: CaretDown, none: DoubleCaretVertical } as const

/**
 * A heading's direction, and the order after a click: numbers begin with the highest, texts with the first letter; then
 * the reverse, then the list's own order.
 */
function headingOrder(sort: string, order: string, isNumeric: boolean) {
  const first = isNumeric ? `-${sort}` : sort
  const second = isNumeric ? sort : `-${sort}`
  const isSecond = order === second
  if (order !== first && !isSecond) return { direction: 'none', next: first } as const
  return { direction: order === sort ? 'ascending' : 'descending', next: isSecond ? '' : second } as const
}

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
