import './sidebar.css'
import { Classes, Tooltip } from '@blueprintjs/core'
import { Fragment } from 'react'
import { NavLink } from 'react-router-dom'
import { useTranslation } from '../translation.ts'
import { ChatMenu } from './chat-menu.tsx'
import { groupLabels } from './group-labels.ts'
import type { MenuLocation } from './menu.ts'
import { menuIcons } from './menu-icons.tsx'
import { useMenuAt, warm } from './use-menu.ts'

type SideMenuProps = Readonly<{
  /** Shows icons only, with the names in tooltips. */
  isCollapsed?: boolean
  /** Called on navigation, for example to close the drawer that the menu is in. */
  onGo?: () => void
}>

export function SideMenu({ isCollapsed = false, onGo }: SideMenuProps) {
  const { t } = useTranslation()
  const groups = useMenuAt('sidebar')
  return (
    <nav className="side-menu" aria-label={t('shell.menu')}>
      {groups.map(([first, ...rest]) => {
        if (!first) return null
        const label = groupLabels[first.menu.group]
        return (
          <Fragment key={first.menu.group}>
            {label && (
              <div className="side-menu-heading" aria-hidden>
                {isCollapsed ? '' : t(label)}
              </div>
            )}
            <ul aria-label={label && t(label)}>
              {[first, ...rest].map((page) => (
                <Fragment key={page.path}>
                  <li>
                    <Entry page={page} isCollapsed={isCollapsed} onGo={onGo} />
                  </li>
                  {page.path === '/playground' && <ChatMenu isCollapsed={isCollapsed} onGo={onGo} />}
                </Fragment>
              ))}
            </ul>
          </Fragment>
        )
      })}
    </nav>
  )
}

function Entry({ page, isCollapsed, onGo }: SideMenuProps & { page: MenuLocation }) {
  const { t } = useTranslation()
  const name = t(page.menu.label)
  const link = (
    <NavLink
      to={page.path}
      className={({ isActive }) => `${Classes.MENU_ITEM} ${isActive ? Classes.SELECTED : ''}`}
      aria-label={isCollapsed ? name : undefined}
      onPointerEnter={() => warm(page)}
      onFocus={() => warm(page)}
      onClick={onGo}
    >
      <span className={Classes.MENU_ITEM_ICON}>{menuIcons[page.path]}</span>
      {!isCollapsed && <span className={Classes.FILL}>{name}</span>}
    </NavLink>
  )
  return isCollapsed ? (
    <Tooltip content={name} placement="right" openOnTargetFocus={false} targetTagName="div">
      <div>{link}</div>
    </Tooltip>
  ) : (
    link
  )
}
