import './top-bar.css'
import { Button, Classes, Navbar, Tag } from '@blueprintjs/core'
import { Flash, Menu as MenuIcon, Moon, Person, Search, Translate } from '@blueprintjs/icons'
import { type ComponentType, type JSX, lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Status } from '../../shared/api/status.ts'
import { shownName, useUser } from '../api/session.ts'
import { canRegister, useStatus } from '../api/status.ts'
import { BrandMark } from '../components/brand-mark.tsx'
import { LinkButton } from '../components/link-button.tsx'
import { useNarrow } from '../components/use-narrow.ts'
import { loadTexts } from '../i18n.ts'
import { useTheme } from '../theme.ts'
import { useTranslation } from '../translation.ts'
import { useOpenPalette } from './palette/palette-context.ts'
import { useShellLinks } from './use-shell-links.ts'

const MenuDrawer = lazy(() => import('./menu-drawer.tsx'))

/** Shown on one day of the year. */
const NewYear = lazy(async () => {
  const [button] = await Promise.all([import('./new-year/new-year.tsx'), loadTexts(['home'])])
  return button
})

/** The bar above every page: name, links, appearance and account (docs/reference/screens.md#shell). */
export function TopBar() {
  const { t } = useTranslation()
  const status = useStatus()
  const user = useUser()
  const isNarrow = useNarrow()
  return (
    <header>
      <Navbar className="top-bar">
        {isNarrow && user && (
          <Suspense fallback={<Button variant="minimal" icon={<MenuIcon />} aria-label={t('shell.menu')} disabled />}>
            <MenuDrawer />
          </Suspense>
        )}
        {isNarrow && !user && status.setup && (
          <BarMenu icon={<MenuIcon />} label={t('shell.places')} load={() => import('./links-menu.tsx')} />
        )}
        <Link to="/" className="top-bar-brand">
          <BrandMark logo={status.logo} />
          <span className={Classes.TEXT_OVERFLOW_ELLIPSIS}>{status.system_name}</span>
        </Link>
        <ModeBadge status={status} />
        {status.setup && !isNarrow && <ShellLinks />}
        <div className="top-bar-end">
          {user && <PaletteButton />}
          <Appearance />
          {status.setup && <Account />}
        </div>
      </Navbar>
    </header>
  )
}

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

/**
 * The links next to the name. On a phone they do not fit: the name leads home, and a menu shows the links to visitors
 * and all pages to signed-in users.
 */
function ShellLinks() {
  const { t } = useTranslation()
  return (
    <nav className="top-bar-places" aria-label={t('shell.places')}>
      {useShellLinks().map((link) =>
        'href' in link ? (
          <a
            key={link.text}
            className={`${Classes.BUTTON} ${Classes.MINIMAL}`}
            href={link.href}
            target="_blank"
            rel="noreferrer"
          >
            {t(link.text)}
          </a>
        ) : (
          <LinkButton key={link.text} to={link.to} text={t(link.text)} />
        ),
      )}
    </nav>
  )
}

function Appearance() {
  const { t } = useTranslation()
  const { isDark } = useTheme()
  const today = new Date()
  return (
    <>
      <Suspense>{today.getMonth() === 0 && today.getDate() === 1 && <NewYear />}</Suspense>
      <BarMenu icon={isDark ? <Moon /> : <Flash />} label={t('theme.label')} load={() => import('./theme-menu.tsx')} />
      <BarMenu icon={<Translate />} label={t('language.label')} load={() => import('./language-menu.tsx')} />
    </>
  )
}

function Account() {
  const { t } = useTranslation()
  const user = useUser()
  const isNarrow = useNarrow()
  const status = useStatus()
  if (!user)
    return (
      <>
        <LinkButton to="/login" text={t('label.logIn')} />
        {!isNarrow && canRegister(status) && <LinkButton to="/register" text={t('label.register')} />}
      </>
    )
  const name = shownName(user)
  const text = isNarrow ? undefined : name
  return (
    <BarMenu
      icon={<Person />}
      label={t('shell.account', { name })}
      text={text}
      load={() => import('./user-menu.tsx')}
    />
  )
}

/** Opens the command palette with the pointer, and makes it discoverable. */
function PaletteButton() {
  const { t } = useTranslation()
  const open = useOpenPalette()
  return <Button variant="minimal" icon={<Search />} aria-label={t('shortcut.palette')} onClick={open} />
}

/** The menu of a bar button; once loaded it renders the button itself. */
type OpenMenu = ComponentType<Readonly<{ button: JSX.Element }>>

type BarMenuProps = Readonly<{
  icon: JSX.Element
  label: string
  text?: string | undefined
  load: () => Promise<{ default: OpenMenu }>
}>

/**
 * A top bar button that opens a menu. The menu's code is loaded on hover or press, not for the first view. If loading
 * fails nothing opens, and the next press tries again.
 */
function BarMenu({ icon, label, text, load }: BarMenuProps) {
  const [Menu, setMenu] = useState<OpenMenu>()
  const look = { variant: 'minimal', icon, text, 'aria-label': label, 'aria-haspopup': 'menu' } as const
  if (Menu) return <Menu button={<Button {...look} />} />
  const open = () =>
    load().then(
      (loaded) => setMenu(() => loaded.default),
      () => undefined,
    )
  const fetchEarly = () => void load().catch(() => undefined)
  return <Button {...look} aria-expanded={false} onPointerEnter={fetchEarly} onClick={() => void open()} />
}
