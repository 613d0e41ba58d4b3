import './home.css'
import { Button, Card, Classes, H1, Tag } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { homePageQuery } from '../../api/home-page.ts'
import { startPage } from '../../api/next-path.ts'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { useAddress } from '../../api/use-address.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { OperatorNotice } from '../../components/operator-notice/operator-notice.tsx'
import { useTitle } from '../../components/use-title.ts'
import { loadTexts } from '../../i18n.ts'
import { PageSkeleton } from '../../shell/page-skeleton.tsx'
import { useQuiet } from '../../shell/use-quiet.ts'
import { useTranslation } from '../../translation.ts'

/** The operator's own page; most operators have none. */
const OperatorPage = lazy(() => import('../../components/operator-page/operator-page.tsx'))
/** Not needed for a visitor's first view; loaded when idle. */
const LandingMore = lazy(async () => {
  const [more] = await Promise.all([import('./landing-more.tsx'), loadTexts(['home'])])
  return more
})

/**
 * Home: the operator's page if there is one, else the landing page for visitors and the dashboard for signed-in users
 * (docs/reference/screens.md#home).
 */
export default function HomePage() {
  const user = useUser()
  const { data: text, isLoadingError, refetch } = useQuery(homePageQuery)
  const hasFailed = isLoadingError && text === undefined
  if (text === undefined && !hasFailed) return user ? <PageSkeleton /> : <div aria-busy />
  if (user && !text) return <Navigate to={startPage} replace />
  return (
    <>
      <Suspense fallback={<PageSkeleton />}>
        {hasFailed && <LoadFailure onRetry={() => void refetch()} />}
        {text ? (
          <>
            <Title />
            <OperatorPage text={text} />
          </>
        ) : (
          <Landing />
        )}
      </Suspense>
      <OperatorNotice />
    </>
  )
}

/** The heading of an operator's page, which may have none; for screen readers. */
function Title() {
  const { system_name: name } = useStatus()
  useTitle()
  return <h1 className="home-title">{name}</h1>
}

/** The operator's page could not be loaded and is not cached. */
function LoadFailure({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation()
  return (
    <p role="alert" className="home-failure">
      {t('home.contentFailed')}
      <Button size="small" text={t('state.retry')} onClick={onRetry} />
    </p>
  )
}

function Landing() {
  const { t } = useTranslation()
  const status = useStatus()
  const address = useAddress()
  const [isQuiet, setQuiet] = useState(false)
  useQuiet(useCallback(() => setQuiet(true), []))
  useTitle()
  return (
    <section className="home">
      <BrandMark logo={status.logo} size={64} />
      <div className="home-name">
        <H1>{status.system_name}</H1>
        <Tag minimal>{`v${status.version}`}</Tag>
      </div>
      <p className={Classes.TEXT_LARGE}>{t('home.pitch')}</p>
      <div className="home-ways">
        <LinkButton isFilled intent="primary" to="/login" text={t('home.start')} />
        <LinkButton isFilled to="/pricing" text={t('label.pricing')} />
      </div>
      <Card className="home-address">
        <span className={Classes.TEXT_MUTED}>{t('home.address')}</span>
        <CopyValue value={address} label={t('home.copyAddress')} />
      </Card>
      <div className="home-more">
        <Suspense>{isQuiet && <LandingMore />}</Suspense>
      </div>
    </section>
  )
}
