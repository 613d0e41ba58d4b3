import { HTMLTable } from '@blueprintjs/core'
import type { WhatIfReport, WhatIfTotals } from '../../../../shared/api/what-if.ts'
import { useQuotaFormat } from '../../../components/amount.ts'
import { Sideways } from '../../../components/sideways/sideways.tsx'
import { useDuration } from '../../../components/use-duration.ts'
import { useTranslation } from '../../../translation.ts'
import { countText, differenceText } from './figures.ts'

type Row = Readonly<{ title: string; value: (totals: WhatIfTotals) => number | null; text: (value: number) => string }>

/** What would be beside what was, all channels together. */
export function Totals({ report: { was, would } }: { report: WhatIfReport }) {
  const { t } = useTranslation()
  const rows = useRows()
  return (
    <Sideways className="explain-card" label={t('whatIf.totals')}>
      <HTMLTable className="explain-table" compact aria-label={t('whatIf.totals')}>
        <thead>
          <tr>
            <th scope="col">{t('whatIf.figure')}</th>
            <th scope="col" className="explain-number">
              {t('whatIf.was')}
            </th>
            <th scope="col" className="explain-number">
              {t('whatIf.would')}
            </th>
            <th scope="col" className="explain-number">
              {t('whatIf.difference')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title, value, text }) => (
            <TotalsRow key={title} title={title} text={text} before={value(was)} after={value(would)} />
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}

type TotalsRowProps = Pick<Row, 'title' | 'text'> & Readonly<{ before: number | null; after: number | null }>

function TotalsRow({ title, text, before, after }: TotalsRowProps) {
  const shown = (value: number | null) => (value === null ? '—' : text(value))
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="explain-number tabular">{shown(before)}</td>
      <td className="explain-number tabular">{shown(after)}</td>
      <td className="explain-number tabular">
        {before === null || after === null ? '—' : differenceText(after - before, text)}
      </td>
    </tr>
  )
}

function useRows(): readonly Row[] {
  const { t } = useTranslation()
  const amount = useQuotaFormat()
  const duration = useDuration()
  return [
    { title: t('whatIf.answered'), value: ({ answered }) => answered, text: countText },
    { title: t('whatIf.failed'), value: ({ failed }) => failed, text: countText },
    { title: t('whatIf.noChannel'), value: ({ no_channel }) => no_channel, text: countText },
    { title: t('whatIf.attempts'), value: ({ attempts }) => attempts, text: countText },
    { title: t('whatIf.average'), value: ({ average_ms }) => average_ms, text: duration },
    { title: t('whatIf.p95'), value: ({ p95_ms }) => p95_ms, text: duration },
    { title: t('whatIf.charged'), value: ({ quota }) => quota, text: amount },
  ]
}
