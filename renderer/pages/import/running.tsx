import { Button, Card, H2, ProgressBar } from '@blueprintjs/core'
import { useId } from 'react'
import type { ImportState } from '../../../shared/api/import.ts'
import { groupDigits } from '../../components/count.tsx'
import { useTranslation } from '../../translation.ts'
import { type ImportWork, useResultFocus } from './use-import.ts'

const titles = {
  checking: 'imports.checking',
  writing: 'imports.writing',
  history: 'imports.writingHistory',
} as const

export function Running({ state, work }: Readonly<{ state: ImportState; work: ImportWork }>) {
  const { t } = useTranslation()
  const titleId = useId()
  const box = useResultFocus<HTMLDivElement>(work)
  const { upload } = work
  const { progress } = state
  const stage = state.stage === 'writing' || state.stage === 'history' ? state.stage : 'checking'
  const share = upload ? upload.share : progress && progress.total > 0 && progress.done / progress.total
  const counts = progress && {
    table: t(`imports.table.${progress.table}`),
    done: groupDigits(progress.done),
    total: groupDigits(progress.total),
  }
  return (
    <Card ref={box} tabIndex={-1} className="import-page-card" role="region" aria-labelledby={titleId}>
      <div className="import-page-head">
        <H2 id={titleId} className="import-page-heading">
          {upload ? t('imports.uploading', { name: upload.name }) : t(titles[stage])}
        </H2>
        <Button text={t('label.cancel')} onClick={() => (upload ? work.stopUpload() : void work.cancel())} />
      </div>
      <ProgressBar
        aria-labelledby={titleId}
        intent="primary"
        {...(share === false || share === null ? {} : { value: share })}
      />
      <div className="tabular" role="status">
        {upload && t('imports.percent', { n: Math.floor(upload.share * 100) })}
        {!upload && counts && t('imports.progress', counts)}
      </div>
    </Card>
  )
}
