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

/** What is shown where the frame around the pages breaks. */
export const RouteFailure = () => (
  <main className="route-failure-alone">
    <PageFailure />
  </main>
)

/**
 * What a person sees when a page breaks: what to do, and a report to hand on. It names no secret. Where the gateway is gone, its
 * return is waited for instead: what is missing is the code of the page.
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

/** Whether the gateway is gone; loads the console again once it is back. */
function useReloadAfterOutage(): boolean {
  const isOut = useOutage() !== undefined
  const [wasOut, setWasOut] = useState(false)
  if (isOut && !wasOut) setWasOut(true)
  useEffect(() => {
    if (wasOut && !isOut) window.location.reload()
  }, [wasOut, isOut])
  return isOut
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
