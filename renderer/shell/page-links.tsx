import './page-links.css'
import { LinkButton } from '../components/link-button.tsx'
import type { MenuOwner } from '../page-routes.tsx'
import { useTranslation } from '../translation.ts'
import { useMenu, useMenuAt } from './use-menu.ts'

type PageLinksProps = Readonly<{
  on: Exclude<MenuOwner, 'sidebar'>
  /** Adds a link to the page `on` before the other links. */
  hasSelf?: boolean
  /** The link that is the page's primary action. */
  primary?: string
}>

/** Links to the pages that are reached from a page instead of the sidebar (renderer/page-routes.tsx). */
export function PageLinks({ on, hasSelf = false, primary }: PageLinksProps) {
  const { t } = useTranslation()
  const linked = useMenuAt(on).flat()
  const itself = useMenu()
    .flat()
    .filter(({ path }) => path === on)
  if (linked.length === 0) return null
  return (
    <nav className="page-links" aria-label={t('shell.related')}>
      {[...(hasSelf ? itself : []), ...linked].map(({ path, menu }) => (
        <LinkButton
          key={path}
          to={path}
          text={t(menu.label)}
          {...(path === primary && { intent: 'primary', isFilled: true })}
        />
      ))}
    </nav>
  )
}
