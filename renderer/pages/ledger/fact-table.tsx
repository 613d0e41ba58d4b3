import { Card, Classes, HTMLTable } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { useNarrow } from '../../components/use-narrow.ts'

/** A column; one without a title has the row's actions. */
export type FactColumn<Row> = Readonly<{
  id: string
  title: string
  isNumber?: boolean
  cell: (row: Row) => ReactNode
}>

type FactTableProps<Row> = Readonly<{ label: string; columns: readonly FactColumn<Row>[]; rows: readonly Row[] }>

/** Rows as a table, or as cards on a phone. */
export function FactTable<Row extends { id: number }>({ label, columns, rows }: FactTableProps<Row>) {
  const isNarrow = useNarrow()
  if (isNarrow) return <FactCards label={label} columns={columns} rows={rows} />
  return (
    <Sideways className="ledger-card" label={label}>
      <HTMLTable className="ledger-table" compact aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, title, isNumber }) => (
              <th key={id} scope="col" className={isNumber ? 'ledger-number' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {columns.map(({ id, isNumber, cell }) => (
                <td key={id} className={isNumber ? 'ledger-number tabular' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}

function FactCards<Row extends { id: number }>({ label, columns, rows }: FactTableProps<Row>) {
  return (
    <ul className="ledger-cards" aria-label={label}>
      {rows.map((row) => (
        <li key={row.id}>
          <Card compact>
            <dl>
              {columns.map(({ id, title, cell }) => (
                <div key={id}>
                  <dt className={Classes.TEXT_MUTED}>{title}</dt>
                  <dd className="tabular">{cell(row)}</dd>
                </div>
              ))}
            </dl>
          </Card>
        </li>
      ))}
    </ul>
  )
}
