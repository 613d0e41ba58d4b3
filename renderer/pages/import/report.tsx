import { Button, Callout, Card, H2 } from '@blueprintjs/core'
import { useId, useState } from 'react'
import type { ImportPreview, ImportTable } from '../../../shared/api/import.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'
import { Counts } from './counts.tsx'
import { Remarks } from './remarks.tsx'
import { Settings } from './settings.tsx'
import { type ImportWork, useResultFocus } from './use-import.ts'

type ReportProps = Readonly<{ report: ImportPreview; name: string; work: ImportWork }>

const originNames = { 'new-api': 'new-api', 'one-api': 'one-api', litellm: 'LiteLLM' } as const

export function Report({ report, name, work }: ReportProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const [isConfirming, setConfirming] = useState(false)
  const box = useResultFocus<HTMLDivElement>(work)
  const comes = (wanted: ImportTable) => groupDigits(report.tables.find(({ table }) => table === wanted)?.comes ?? 0)
  return (
    <Card ref={box} tabIndex={-1} className="import-page-card" role="region" aria-labelledby={titleId}>
      <H2 id={titleId} className="import-page-heading">
        {t('imports.report')}
      </H2>
      <div role="status">
        {work.isStale && (
          <Callout compact intent="warning">
            {t('imports.changed')}
          </Callout>
        )}
        {!work.isStale && !report.is_ready && (
          <Callout compact intent="success">
            {t('imports.nothing')}
          </Callout>
        )}
        {!work.isStale && report.is_ready && t('imports.reportFrom', { origin: originNames[report.origin] })}
      </div>
      <Counts counts={report.tables} label={t('imports.report')} />
      <Settings settings={report.settings} />
      <Remarks report={report} />
      <div className="import-page-actions">
        {work.isStale ? (
          <Button
            intent="primary"
            text={t('imports.checkAgain')}
            loading={work.isBusy}
            onClick={() => void work.check()}
          />
        ) : (
          <Button
            intent="primary"
            text={t('imports.import')}
            disabled={!report.is_ready}
            loading={work.isBusy}
            onClick={() => setConfirming(true)}
          />
        )}
      </div>
      <Confirm
        isOpen={isConfirming}
        isHarmless
        question={t('imports.ask', { name })}
        verb={t('imports.import')}
        isBusy={work.isBusy}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          void work.confirm(report.id)
        }}
      >
        {t('imports.askText', {
          users: comes('users'),
          tokens: comes('tokens'),
          channels: comes('channels'),
          options: comes('options'),
        })}
      </Confirm>
    </Card>
  )
}
