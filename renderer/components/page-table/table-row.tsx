import { Classes } from '@blueprintjs/core'
import { childrenOf, type ListView } from './list-view.ts'
import { RowCheck } from './row-check.tsx'
import { RowOpener } from './row-opener.tsx'
import type { OpenRows } from './use-open-rows.ts'

type TableRowProps<Row> = Readonly<{
  view: ListView<Row>
  row: Row
  open: OpenRows<Row>
  isChild?: boolean
}>

export function TableRow<Row>({ view, row, open, isChild = false }: TableRowProps<Row>) {
  const { columns, keyOf, actions, isMuted, selection } = view
  const looks = [isMuted?.(row) && Classes.TEXT_MUTED, isChild && 'page-table-child'].filter(Boolean).join(' ')
  return (
    <>
      <tr className={looks || undefined}>
        {selection && (
          <td className="page-table-check-cell">
            <RowCheck view={view} row={row} />
          </td>
        )}
        {columns.map(({ id, cell, isNumeric }, index) => (
          <td key={id} className={isNumeric ? 'page-table-number tabular' : undefined}>
            {index === 0 ? (
              <div className="page-table-first">
                <RowOpener view={view} row={row} open={open} />
                {cell(row)}
              </div>
            ) : (
              cell(row)
            )}
          </td>
        ))}
        {actions && <td className="page-table-actions">{actions(row)}</td>}
      </tr>
      <SecondLine view={view} row={row} className={looks} />
      {open.isOpen(row) && <Detail view={view} row={row} />}
      {open.isOpen(row) &&
        childrenOf(view, row).map((child) => (
          <TableRow key={keyOf(child)} view={view} row={child} open={open} isChild />
        ))}
    </>
  )
}

function SecondLine<Row>({ view, row, className }: { view: ListView<Row>; row: Row; className: string }) {
  if (!view.folded) return null
  return (
    <tr className={`page-table-second ${className}`}>
      {view.selection && <td className="page-table-check-cell" />}
      <td colSpan={view.columns.length + (view.actions ? 1 : 0)}>
        <dl>
          {view.folded.map(({ id, title, cell }) => (
            <div key={id}>
              <dt className={Classes.TEXT_MUTED}>{title}</dt>
              <dd className="tabular">{cell(row)}</dd>
            </div>
          ))}
        </dl>
      </td>
    </tr>
  )
}

function Detail<Row>({ view, row }: { view: ListView<Row>; row: Row }) {
  const detail = view.detail?.(row) ?? null
  if (detail === null) return null
  const width = view.columns.length + (view.selection ? 1 : 0) + (view.actions ? 1 : 0)
  return (
    <tr className="page-table-detail">
      <td colSpan={width}>
        <div>{detail}</div>
      </td>
    </tr>
  )
}
