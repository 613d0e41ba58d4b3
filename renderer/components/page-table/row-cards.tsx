import { Card, Classes } from '@blueprintjs/core'
import type { ListView } from './page-table.tsx'

/** Rows as cards, for a phone: the first column is the heading beside the row's menu, the others follow by name. */
export function RowCards<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const [heading, ...columns] = view.columns
  return (
    <ul className="page-table-cards" aria-label={view.label}>
      {rows.map((row) => (
        <li key={view.keyOf(row)}>
          <Card className={view.isMuted?.(row) ? Classes.TEXT_MUTED : ''}>
            <div className="page-table-card-head">
              <strong>{heading?.cell(row)}</strong>
              {view.actions(row)}
            </div>
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
