import { Button, Callout, Card, H2 } from '@blueprintjs/core'
import { useId } from 'react'
import { Link } from 'react-router-dom'
import type { ImportState } from '../../../shared/api/import.ts'
import { useAddress } from '../../api/use-address.ts'
import { useTranslation } from '../../translation.ts'
import { Counts } from './counts.tsx'
import { type ImportWork, useResultFocus } from './use-import.ts'

type ResultProps = Readonly<{ result: NonNullable<ImportState['result']>; error: string; work: ImportWork }>

export function Result({ result, error, work }: ResultProps) {
  const { t } = useTranslation()
  const titleId = useId()
  const address = useAddress()
  const box = useResultFocus<HTMLDivElement>(work)
  return (
    <>
      <div ref={box} tabIndex={-1} role="status">
        <Callout intent={result.is_whole ? 'success' : 'warning'}>
          {error || t(result.is_whole ? 'imports.done' : 'imports.donePartly')}
        </Callout>
      </div>
      <Counts counts={result.tables} label={t('imports.report')} />
      <Card className="import-page-card" role="region" aria-labelledby={titleId}>
        <H2 id={titleId} className="import-page-heading">
          {t('imports.next')}
        </H2>
        <ul className="import-page-sources">
          <li>{t('imports.nextClients', { address })}</li>
          <li>
            <Link to="/channel">{t('imports.nextChannels')}</Link>
          </li>
          <li>
            <Link to="/ledger">{t('imports.nextLedger')}</Link>
          </li>
          <li>
            <Link to="/setting?tab=system">{t('imports.nextSettings')}</Link>
          </li>
        </ul>
        <div className="import-page-actions">
          <Button text={t('imports.another')} loading={work.isBusy} onClick={() => void work.cancel()} />
        </div>
      </Card>
    </>
  )
}
