import './layout.css'
import { Classes, Spinner } from '@blueprintjs/core'
import { Suspense, useEffect, useLayoutEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router-dom'
import { StatusContext, useStatusQuery } from '../api/status.ts'
import { paintTheme, useTheme } from '../theme.ts'
import { StatusFailure } from './status-failure.tsx'
import { TopBar } from './top-bar.tsx'

/** The frame around all pages: reads the public status first, then shows the top bar and the page of the route. */
export function Layout() {
  const { t } = useTranslation()
  const status = useStatusQuery()
  const { isDark } = useTheme()
  useLayoutEffect(() => paintTheme(isDark), [isDark])
  useSiteIcon(status.data?.logo)
  if (status.error) return <StatusFailure failure={status.error} onRetry={() => void status.refetch()} />
  if (!status.data) return <Spinner className="layout-waiting" aria-label={t('state.loading')} />
  return (
    <StatusContext value={status.data}>
      <a href="#content" className={`layout-skip ${Classes.BUTTON}`}>
        {t('shell.skip')}
      </a>
      <TopBar />
      <main id="content" className="layout-content" tabIndex={-1}>
        <Suspense fallback={<Spinner className="layout-waiting" aria-label={t('state.loading')} />}>
          <Outlet />
        </Suspense>
      </main>
    </StatusContext>
  )
}

/** The operator's logo as the window's icon; ours when there is none. */
function useSiteIcon(logo: string | undefined): void {
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', logo || '/favicon.svg')
  }, [logo])
}
