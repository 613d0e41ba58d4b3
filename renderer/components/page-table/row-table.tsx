import { Card, Classes, HTMLTable } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import type { ListView } from './page-table.tsx'

/** Rows as a table whose head stays in sight; its actions are in the last column. */
export function RowTable<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const { columns, keyOf, actions, isMuted } = view
  return (
    <Card className="page-table-card">
      <HTMLTable className="page-table-rows" compact aria-label={view.label}>
        <thead>
          <tr>
            {columns.map(({ id, title, isNumeric }) => (
              <th key={id} scope="col" className={isNumeric ? 'page-table-number' : undefined}>
                {title}
              </th>
            ))}
            <th scope="col" className="page-table-actions">
              <span className="page-table-spoken">{t('list.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} className={isMuted?.(row) ? Classes.TEXT_MUTED : undefined}>
              {columns.map(({ id, cell, isNumeric }) => (
                <td key={id} className={isNumeric ? 'page-table-number tabular' : undefined}>
                  {cell(row)}
                </td>
              ))}
              <td className="page-table-actions">{actions(row)}</td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Card>
  )
}
