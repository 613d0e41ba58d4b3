import './route-failure.css'
import { Button, Callout, Card, Classes, H1 } from '@blueprintjs/core'
import { Offline } from '@blueprintjs/icons'
import { useEffect, useState } from 'react'
import { isRouteErrorResponse, useLocation, useRouteError } from 'react-router-dom'
import * as z from 'zod/mini'
import { useOutage } from '../api/connection.ts'
import { readStored } from '../api/stored.ts'
import { BlankState } from '../components/blank-state/blank-state.tsx'
import { CopyButton } from '../components/copy-text/copy-button.tsx'
import { useTranslation } from '../translation.ts'

/** Shown if the layout itself throws. */
export const RouteFailure = () => (
  <main className="route-failure-alone">
    <PageFailure />
  </main>
)

/**
 * Shown when a page throws: what to do, and a report to pass on, which contains no secrets. If the gateway is down,
 * waits for it to return instead, since only the page's code is missing.
 */
export function PageFailure() {
  const { t } = useTranslation()
  const report = useReport()
  const isOut = useReloadAfterOutage()
  if (isOut)
    return (
      <BlankState scope="page" icon={<Offline size={48} />} title={t('outage.text')} description={t('outage.page')} />
    )
  return (
    <div className="route-failure">
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
    </div>
  )
}

/** Whether the gateway is down; reloads the console once it is back. */
function useReloadAfterOutage(): boolean {
  const isOut = useOutage() !== undefined
  const [wasOut, setWasOut] = useState(false)
  if (isOut && !wasOut) setWasOut(true)
  useEffect(() => {
    if (wasOut && !isOut) window.location.reload()
  }, [wasOut, isOut])
  return isOut
}

function useReport(): string {
  const error = useRouteError()
  const { pathname } = useLocation()
  const version = readStored('status', z.looseObject({ version: z.string() }))?.version ?? '?'
  const time = new Date().toISOString()
  return [`Switchyard ${version}`, time, pathname, navigator.userAgent, '', detailsOf(error)].join('\n')
}

function detailsOf(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message
  return isRouteErrorResponse(error) ? `${error.status} ${error.statusText}` : String(error)
}
