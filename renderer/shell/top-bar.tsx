import './top-bar.css'
import { Classes, Navbar, Tag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Status } from '../../shared/api/status.ts'
import { isWebLink } from '../../shared/links.ts'
import { useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import { BrandMark } from '../components/brand-mark.tsx'
import { LinkButton } from '../components/link-button.tsx'
import { useNarrow } from '../components/use-narrow.ts'
import { LanguageMenu } from './language-menu.tsx'
import { MenuDrawer } from './menu-drawer.tsx'
import { PaletteButton } from './palette/palette-button.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { UserMenu } from './user-menu.tsx'

/**
 * The bar above every page: where one is, where one can go, how it looks, who one is
 * (docs/reference/screens.md#shell).
 */
export function TopBar() {
  const status = useStatus()
  const user = useUser()
  const isNarrow = useNarrow()
  return (
    <header>
      <Navbar className="top-bar">
        {isNarrow && user && <MenuDrawer />}
        <Link to="/" className="top-bar-brand">
          <BrandMark logo={status.logo} />
          <span className={Classes.TEXT_OVERFLOW_ELLIPSIS}>{status.system_name}</span>
        </Link>
        <ModeBadge status={status} />
        {status.setup && <Places docs={status.docs_link} />}
        <div className="top-bar-end">
          {user && <PaletteButton />}
          <ThemeMenu />
          <LanguageMenu />
          {status.setup && <Account />}
        </div>
      </Navbar>
    </header>
  )
}

/** Says that this is no ordinary site: for one person, or for show. */
function ModeBadge({ status }: { status: Status }) {
  const { t } = useTranslation()
  if (status.self_use_mode_enabled) return <Tag minimal>{t('label.selfUseMode')}</Tag>
  if (status.demo_site_enabled)
    return (
      <Tag minimal intent="primary">
        {t('label.demoSite')}
      </Tag>
    )
  return null
}

/** The places beside the name; a phone has no room for them: its name leads home, its menu to all pages. */
function Places({ docs }: { docs: string }) {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <nav className="top-bar-places" aria-label={t('shell.places')}>
      <LinkButton to="/" text={t('label.home')} />
      {user && <LinkButton to="/token" text={t('label.console')} />}
      {isWebLink(docs) && (
        <a className={`${Classes.BUTTON} ${Classes.MINIMAL}`} href={docs} target="_blank" rel="noreferrer">
          {t('label.docs')}
        </a>
      )}
    </nav>
  )
}

/** Who is signed in, or the way to sign in. */
function Account() {
  const { t } = useTranslation()
  const user = useUser()
  return user ? <UserMenu user={user} /> : <LinkButton to="/login" text={t('label.logIn')} />
}
