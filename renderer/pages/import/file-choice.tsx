import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { DocumentOpen } from '@blueprintjs/icons'
import { useId } from 'react'
import type { ImportState } from '../../../shared/api/import.ts'
import { byteSize } from '../../components/byte-size.ts'
import { FileButton } from '../../components/file-button.tsx'
import { useTranslation } from '../../translation.ts'
import { type ImportWork, useResultFocus } from './use-import.ts'

type FileChoiceProps = Readonly<{ file: ImportState['file']; work: ImportWork }>

export function FileChoice({ file, work }: FileChoiceProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const box = useResultFocus<HTMLDivElement>(work, file?.name)
  return (
    <Card ref={box} tabIndex={-1} className="import-page-card" role="region" aria-labelledby={titleId}>
      <H2 id={titleId} className="import-page-heading">
        {t(file ? 'imports.file' : 'imports.sources')}
      </H2>
      {file ? (
        <p className="import-page-file">
          <strong>{file.name}</strong>{' '}
          <span className={Classes.TEXT_MUTED}>
            {t(file.origin === 'database' ? 'imports.database' : 'imports.config')} · {byteSize(file.size)}
          </span>
        </p>
      ) : (
        <ul className="import-page-sources">
          <li>{t('imports.newApi')}</li>
          <li>{t('imports.litellm')}</li>
        </ul>
      )}
      {!file && <p className={Classes.TEXT_MUTED}>{t('imports.stopFirst')}</p>}
      <div className="import-page-actions">
        <FileButton
          label={t('imports.choose')}
          icon={<DocumentOpen />}
          intent={file ? 'none' : 'primary'}
          text={t(file ? 'imports.chooseOther' : 'imports.choose')}
          disabled={work.isBusy}
          onFile={(chosen) => void work.take(chosen)}
        />
        {file && <Button text={t('label.cancel')} disabled={work.isBusy} onClick={() => void work.cancel()} />}
      </div>
    </Card>
  )
}
