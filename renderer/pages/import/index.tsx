import './import.css'
import { Button, Callout, Card, Classes } from '@blueprintjs/core'
import type { ImportState } from '../../../shared/api/import.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { StaleNote } from '../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../translation.ts'
import { Choices } from './choices.tsx'
import { FileChoice } from './file-choice.tsx'
import { Report } from './report.tsx'
import { Result } from './result.tsx'
import { Running } from './running.tsx'
import { type ImportWork, useImport } from './use-import.ts'

/** Imports another gateway's data: file, report, confirmation (docs/reference/screens.md#import). */
export default function ImportPage() {
  const { t } = useTranslation()
  const work = useImport()
  const { data, error, refetch, dataUpdatedAt } = work.state
  return (
    <PageFrame title={t('page.import')}>
      <p className={`import-page-intro ${Classes.TEXT_MUTED}`}>{t('imports.intro')}</p>
      {error && !data && (
        <Card>
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {!error && !data && <Waiting />}
      {data && <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />}
      {data && <Steps state={data} work={work} />}
    </PageFrame>
  )
}

function Steps({ state, work }: { state: ImportState; work: ImportWork }) {
  const { t } = useTranslation()
  const { stage, file, report, result } = state
  if (work.upload || ['checking', 'writing', 'history'].includes(stage)) return <Running state={state} work={work} />
  if (stage === 'done' && result) return <Result result={result} error={state.error} work={work} />
  return (
    <>
      {stage === 'failed' && (
        <Callout intent="danger" role="alert">
          <strong>{t('imports.failed')}</strong>
          <div>{state.error}</div>
        </Callout>
      )}
      <FileChoice file={file} work={work} />
      {file && <Choices origin={file.origin} variables={report?.variables ?? []} work={work} />}
      {file && stage === 'ready' && (
        <div className="import-page-actions">
          <Button intent="primary" text={t('imports.check')} loading={work.isBusy} onClick={() => void work.check()} />
        </div>
      )}
      {file && report && <Report report={report} name={file.name} work={work} />}
    </>
  )
}

function Waiting() {
  const { t } = useTranslation()
  return (
    <Card className="import-page-card" role="status" aria-label={t('state.loading')}>
      {['a', 'b', 'c'].map((line) => (
        <div key={line} className={`import-page-line ${Classes.SKELETON}`} />
      ))}
    </Card>
  )
}
