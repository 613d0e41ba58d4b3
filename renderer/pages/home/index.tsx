import './home.css'
import { Card, Classes, H1, Tag } from '@blueprintjs/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useUser } from '../../api/session.ts'
import { useStatus } from '../../api/status.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useTitle } from '../../components/use-title.ts'
import { loadAllTexts } from '../../i18n.ts'
import { loadPageStyles } from '../../page-styles.ts'
import { PageSkeleton } from '../../shell/page-skeleton.tsx'

/** For who is signed in; a visitor's first view does without it. */
const Beginning = lazy(async () => {
  const [page] = await Promise.all([import('./beginning.tsx'), loadPageStyles(), loadAllTexts()])
  return page
})

/** Home: where a day begins for who is signed in, the way in for everybody else (docs/reference/screens.md#home). */
export default function HomePage() {
  const user = useUser()
  if (!user) return <Landing />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Beginning />
    </Suspense>
  )
}

/** What this is, the address clients need, and the way in. */
function Landing() {
  const { t } = useTranslation()
  const status = useStatus()
  const address = status.server_address || window.location.origin
  useTitle()
  return (
    <section className="home">
      <BrandMark logo={status.logo} size={64} />
      <div className="home-name">
        <H1>{status.system_name}</H1>
        <Tag minimal>{`v${status.version}`}</Tag>
      </div>
      <p className={Classes.TEXT_LARGE}>{t('home.pitch')}</p>
      <LinkButton isFilled intent="primary" to="/login" text={t('home.start')} />
      <Card className="home-address">
        <span className={Classes.TEXT_MUTED}>{t('home.address')}</span>
        <CopyValue value={address} label={t('home.copyAddress')} />
      </Card>
    </section>
  )
}
