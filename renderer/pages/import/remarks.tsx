import { Card, Classes, HTMLTable, type Intent, SegmentedControl } from '@blueprintjs/core'
import { useState } from 'react'
import type { ImportPreview, ImportRemark } from '../../../shared/api/import.ts'
import { groupDigits } from '../../components/count.tsx'
import { Sideways } from '../../components/sideways/sideways.tsx'
import { StatusTag } from '../../components/status-tag/status-tag.tsx'
import { useNarrow } from '../../components/use-narrow.ts'
import { useTranslation } from '../../translation.ts'

const intents: Readonly<Record<ImportRemark['outcome'], Intent>> = {
  left_out: 'danger',
  changed: 'warning',
  note: 'none',
}
const outcomes = ['left_out', 'changed', 'note'] as const

export function Remarks({ report }: { report: ImportPreview }) {
  const { t } = useTranslation()
  const isNarrow = useNarrow()
  const [outcome, setOutcome] = useState<string>('all')
  const { remarks, remarks_total: total } = report
  const present = outcomes.filter((one) => remarks.some((remark) => remark.outcome === one))
  const shown = remarks.filter((remark) => outcome === 'all' || remark.outcome === outcome)
  if (remarks.length === 0) return null
  return (
    <>
      <div className="import-page-filter">
        <h3 className="import-page-subheading">{t('imports.remarks')}</h3>
        {present.length > 1 && (
          <SegmentedControl
            aria-label={t('imports.filter')}
            options={['all' as const, ...present].map((value) => ({ value, label: t(`imports.outcome.${value}`) }))}
            value={outcome}
            onValueChange={setOutcome}
          />
        )}
      </div>
      {isNarrow ? <RemarkCards remarks={shown} /> : <RemarkTable remarks={shown} />}
      {total > remarks.length && (
        <p className={Classes.TEXT_MUTED}>
          {t('imports.remarksMore', { shown: groupDigits(remarks.length), total: groupDigits(total) })}
        </p>
      )}
    </>
  )
}

type RowsProps = Readonly<{ remarks: readonly ImportRemark[] }>

const keyOf = ({ table, row, text }: ImportRemark, index: number) => `${table} ${row} ${text} ${index}`

function RemarkTable({ remarks }: RowsProps) {
  const { t } = useTranslation()
  return (
    <Sideways className="import-page-table import-page-long" label={t('imports.remarks')}>
      <HTMLTable compact aria-label={t('imports.remarks')}>
        <thead>
          <tr>
            <th scope="col">{t('imports.table')}</th>
            <th scope="col">{t('imports.row')}</th>
            <th scope="col">{t('imports.why')}</th>
          </tr>
        </thead>
        <tbody>
          {remarks.map((remark, index) => (
            <tr key={keyOf(remark, index)}>
              <td className="import-page-nowrap">{t(`imports.table.${remark.table}`)}</td>
              <td className="import-page-row">{remark.row}</td>
              <td>
                <Outcome remark={remark} /> {remark.text}
              </td>
            </tr>
          ))}
        </tbody>
      </HTMLTable>
    </Sideways>
  )
}

function RemarkCards({ remarks }: RowsProps) {
  const { t } = useTranslation()
  return (
    <ul className="import-page-cards" aria-label={t('imports.remarks')}>
      {remarks.map((remark, index) => (
        <li key={keyOf(remark, index)}>
          <Card compact>
            <Outcome remark={remark} /> <strong className="import-page-row">{remark.row}</strong>{' '}
            <span className={Classes.TEXT_MUTED}>{t(`imports.table.${remark.table}`)}</span>
            <div>{remark.text}</div>
          </Card>
        </li>
      ))}
    </ul>
  )
}

function Outcome({ remark: { outcome } }: { remark: ImportRemark }) {
  const { t } = useTranslation()
  return <StatusTag intent={intents[outcome]} text={t(`imports.outcome.${outcome}`)} />
}
