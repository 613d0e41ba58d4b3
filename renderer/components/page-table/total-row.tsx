import { useTranslation } from '../../translation.ts'
import type { ListView } from './list-view.ts'

/** The totals under their columns; nothing where no column has one. */
export function TotalRow<Row>({ view, rows }: { view: ListView<Row>; rows: readonly Row[] }) {
  const { t } = useTranslation()
  const { columns, selection, actions } = view
  if (!columns.some(({ total }) => total)) return null
  return (
    <tfoot>
      <tr>
        {selection && <td />}
        {columns.map(({ id, total, isNumeric }, place) => (
          <td key={id} className={isNumeric ? 'page-table-number tabular' : undefined}>
            {total?.(rows) ?? (place === 0 && t('label.total'))}
          </td>
        ))}
        {actions && <td />}
      </tr>
    </tfoot>
  )
}
