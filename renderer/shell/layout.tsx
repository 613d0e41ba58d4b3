import './layout.css'
import { Button, Callout, Classes, HotkeysProvider, type HotkeysProviderProps, Spinner } from '@blueprintjs/core'
import { Offline, Refresh } from '@blueprintjs/icons'
import {
  type ComponentProps,
  lazy,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router-dom'
import { CallFailure } from '../api/call-failure.ts'
import { useSignInRequest } from '../api/sign-in-again.ts'
import { StatusContext, useStatusQuery } from '../api/status.ts'
import { BlankState } from '../components/blank-state/blank-state.tsx'
import { fetchParts } from '../components/later.tsx'
import { fetchToaster, leaveToasts } from '../components/toasts.ts'
import { useNarrow } from '../components/use-narrow.ts'
import { loadTexts } from '../i18n.ts'
import { paintTheme, useTheme } from '../theme.ts'
import { useTranslation } from '../translation.ts'
import { Footer } from './footer.tsx'
import { PageSkeleton } from './page-skeleton.tsx'
import { PaletteHost } from './palette/palette-host.tsx'
import { TopBar } from './top-bar.tsx'
import { useCollapsed, useHasMenu } from './use-menu.ts'
import { useQuiet } from './use-quiet.ts'
import './outage-banner.css'
import { type Outage, tryNow, useOutage } from '../api/connection.ts'
import { Countdown } from '../components/cooldown/countdown.tsx'

/** Parts that the first view does not need. */
const Sidebar = lazy(() => import('./sidebar.tsx'))
const ShortcutsDialog = lazy(() => import('./palette/shortcuts-dialog.tsx'))

/** The layout of all pages: reads the public status first, then shows the bars and the route's page. */
export function Layout() {
  const { t } = useTranslation()
  const status = useStatusQuery()
  const { isDark } = useTheme()
  const signInRequest = useSignInRequest()
  useLayoutEffect(() => paintTheme(isDark), [isDark])
  useSiteIcon(status.data?.logo)
  useQuiet(fetchLater)
  if (status.error && !status.data)
    return <StatusFailure failure={status.error} onRetry={() => void status.refetch()} />
  if (!status.data) return <Spinner className="layout-waiting" aria-label={t('state.loading')} />
  return (
    <StatusContext value={status.data}>
      <HotkeysProvider renderDialog={shortcutsDialog}>
        <button type="button" className={`layout-skip ${Classes.BUTTON}`} onClick={skip}>
          {t('shell.skip')}
        </button>
        <PageAnnouncer />
        <OutageBanner />
        <PaletteHost>
          <TopBar />
          <Body />
        </PaletteHost>
        <Suspense>{signInRequest && <SignInAgain {...signInRequest} />}</Suspense>
      </HotkeysProvider>
    </StatusContext>
  )
}

/**
 * Replaces everything if the status cannot be read, because nothing works without it
 * (docs/reference/screens.md#shell).
 */
function StatusFailure({ failure, onRetry }: { failure: Error; onRetry: () => void }) {
  const { t } = useTranslation()
  const isCutOff = failure instanceof CallFailure && failure.kind === 'network'
  return (
    <main className="layout-content" role="alert">
      <BlankState
        scope="page"
        icon={<Offline size={48} />}
        title={isCutOff ? t('status.fail1') : t('status.fail2')}
        description={isCutOff ? t('shell.cutOff') : failure.message}
        action={<Button intent="primary" icon={<Refresh />} text={t('state.retry')} onClick={onRetry} />}
      />
    </main>
  )
}

/** Moves the focus to the content. A fragment link would move it again when going back in history. */
const skip = () => document.getElementById('content')?.focus()

const SignInAgain = lazy(async () => {
  const [dialog] = await Promise.all([import('./sign-in-again.tsx'), loadTexts(['entry'])])
  return dialog
})

/** The localized list of shortcuts; its code is loaded when it is first opened. */
const shortcutsDialog: HotkeysProviderProps['renderDialog'] = ({ isDialogOpen, hotkeys }, { handleDialogClose }) => (
  <Shortcuts isOpen={isDialogOpen} hotkeys={hotkeys} onClose={handleDialogClose} />
)

function Shortcuts(dialog: ComponentProps<typeof ShortcutsDialog>) {
  const [isWanted, setWanted] = useState(false)
  if (dialog.isOpen && !isWanted) setWanted(true)
  return <Suspense>{isWanted && <ShortcutsDialog {...dialog} />}</Suspense>
}

/** The sidebar, the page and the footer. A page starts at its top; a skeleton is shown while its code loads. */
function Body() {
  const { pathname } = useLocation()
  const { state } = useNavigation()
  const isNarrow = useNarrow()
  const hasMenu = useHasMenu()
  const scroll = useRef<HTMLDivElement>(null)
  return (
    <div className="layout-body">
      {hasMenu && !isNarrow && <SidebarSlot />}
      <div className="layout-scroll" ref={scroll}>
        <PageStart key={pathname} box={scroll} />
        <main id="content" className="layout-content" tabIndex={-1} aria-busy={state === 'loading'}>
          <div className="layout-page">
            <Outlet />
          </div>
          {state === 'loading' && (
            <div className="layout-coming">
              <PageSkeleton />
            </div>
          )}
        </main>
        <Footer />
      </div>
    </div>
  )
}

/** The sidebar; its width is reserved while its code loads, so that the page never moves. */
function SidebarSlot() {
  const [isCollapsed] = useCollapsed()
  return (
    <Suspense fallback={<div className="layout-side" data-collapsed={isCollapsed} />}>
      <Sidebar />
    </Suspense>
  )
}

/** Mounted for each page: scrolls to the top and clears the previous page's toasts. */
function PageStart({ box }: { box: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => void box.current?.scrollTo(0, 0), [box])
  useEffect(leaveToasts, [])
  return null
}

function fetchLater(): void {
  fetchToaster()
  fetchParts()
}

/** Uses the operator's logo as the window's icon, or the default one. */
function useSiteIcon(logo: string | undefined): void {
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute('href', logo || '/favicon.svg')
  }, [logo])
}

/**
 * Announces the title of the new page to screen readers: the document stays the same, so the browser announces nothing.
 * Browsers announce the first page themselves.
 */
function PageAnnouncer() {
  const [announcement, announce] = useState('')
  const from = useRef(location.pathname)
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(() => {
      if (location.pathname === from.current) return
      from.current = location.pathname
      announce(document.title)
    })
    observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <div className="layout-announcer" aria-live="polite">
      {announcement}
    </div>
  )
}

/** Reports that the gateway does not respond and counts down to the next retry; everything else stays as it is. */
function OutageBanner() {
  const outage = useOutage()
  return outage ? <Banner outage={outage} /> : null
}

function Banner({ outage: { isTrying, nextTryAt } }: { outage: Outage }) {
  const { t } = useTranslation()
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.add('has-outage')
    return () => classList.remove('has-outage')
  }, [])
  return (
    <section className="outage-banner" aria-label={t('outage.text')}>
      <Callout compact intent="warning" icon={null}>
        <strong role="alert">{t('outage.text')}</strong>
        <span className="outage-banner-next">
          {isTrying ? (
            t('outage.trying')
          ) : (
            <span>
              {t('outage.next')} <Countdown until={nextTryAt} />
            </span>
          )}
          <Button text={t('outage.now')} loading={isTrying} onClick={() => void tryNow()} />
        </span>
      </Callout>
    </section>
  )
}
