import './route-failure.css'
import { Button, Callout, Card, Classes, H1 } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router-dom'
import { z } from 'zod'
import { readStored } from '../api/stored.ts'
import { CopyButton } from '../components/copy-text/copy-button.tsx'

/** What a person sees when a page breaks: what to do, and a report to hand on. It names no secret. */
export function RouteFailure() {
  const { t } = useTranslation()
  const report = useReport()
  return (
    <main className="route-failure">
      <Card className="route-failure-card">
        <H1 className={Classes.HEADING}>{t('failure.title')}</H1>
        <Callout intent="danger" role="alert">
          {t('failure.hint')}
        </Callout>
        <pre className={Classes.CODE_BLOCK}>{report}</pre>
        <div className="route-failure-actions">
          <Button intent="primary" text={t('failure.reload')} onClick={() => window.location.reload()} />
          <CopyButton text={report} shown={t('failure.report')} label={t('failure.copy')} />
        </div>
      </Card>
    </main>
  )
}

/** Version, time, place, browser and the error: what somebody needs to find the cause. */
function useReport(): string {
  const error = useRouteError()
  const { pathname } = useLocation()
  const version = readStored('status', z.looseObject({ version: z.string() }))?.version ?? '?'
  const time = new Date().toISOString()
  return [`Switchyard ${version}`, time, pathname, navigator.userAgent, '', detailsOf(error)].join('\n')
}

/** As much as the error tells about itself. */
function detailsOf(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message
  return isRouteErrorResponse(error) ? `${error.status} ${error.statusText}` : String(error)
}
