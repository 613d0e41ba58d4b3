import { Card, Classes, HTMLTable } from '@blueprintjs/core'
import type { ImportCounts } from '../../../shared/api/import.ts'
import { groupDigits } from '../../components/count.tsx'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

const columns = ['found', 'comes', 'known', 'deleted', 'left_out'] as const
const titles = {
  found: 'imports.found',
  comes: 'imports.new',
  known: 'imports.known',
  deleted: 'imports.deleted',
  left_out: 'imports.leftOut',
} as const

export function Counts({ counts, label }: Readonly<{ counts: readonly ImportCounts[]; label: string }>) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const shown = counts.filter(({ found }) => found > 0)
  if (isNarrow)
    return (
      <ul className="import-page-cards" aria-label={label}>
        {shown.map((one) => (
          <li key={one.table}>
            <Card compact>
              <strong>{t(`imports.table.${one.table}`)}</strong>
              <dl>
                {columns
                  .filter((column) => column === 'found' || one[column] > 0)
                  .map((column) => (
                    <div key={column}>
                      <dt className={Classes.TEXT_MUTED}>{t(titles[column])}</dt>
                      <dd className="tabular">{groupDigits(one[column])}</dd>
                    </div>
                  ))}
              </dl>
            </Card>
          </li>
        ))}
      </ul>
    )
  return (
    <Sideways className="import-page-table" label={label}>
      <HTMLTable compact aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{t('imports.table')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="import-page-number">
                {t(titles[column])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one) => (
            <tr key={one.table}>
              <th scope="row">{t(`imports.table.${one.table}`)}</th>
              {columns.map((column) => (
                <td key={column} className="import-page-number tabular" data-none={one[column] === 0}>
                  {groupDigits(one[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}
