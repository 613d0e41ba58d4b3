import type { Status } from '../../shared/api/status.ts'
import type { SignedIn } from '../../shared/api/user.ts'
import { type MenuEntry, type MenuOwner, menuGroups, type PageRoute, pageRoutes } from '../page-routes.tsx'
import { isFor } from './guards.tsx'

export type MenuLocation = PageRoute & Readonly<{ menu: MenuEntry }>

type MenuStatus = Pick<Status, NonNullable<MenuEntry['flag']> | 'self_use_mode_enabled'>

/** Every page that an account's role may open and that the operator has not disabled, by group. */
export function menuFor(user: SignedIn, status: MenuStatus): readonly (readonly MenuLocation[])[] {
  const isOn = ({ flag }: MenuEntry) => !flag || status[flag]
  const offered = pageRoutes.filter(
    (page): page is MenuLocation => page.menu !== undefined && isFor(page.access, user) && isOn(page.menu),
  )
  return menuGroups
    .map((group) => offered.filter(({ menu }) => menu.group === group))
    .filter((group) => group.length > 0)
}

/** The pages of `menuFor` that the sidebar, or a page, links to. */
export const menuAt = (owner: MenuOwner, user: SignedIn, status: MenuStatus): readonly (readonly MenuLocation[])[] =>
  menuFor(user, status)
    .map((group) => group.filter(({ menu }) => ownerOf(menu, status) === owner))
    .filter((group) => group.length > 0)

const ownerOf = ({ on = 'sidebar', inSelfUse = on }: MenuEntry, status: MenuStatus): MenuOwner =>
  status.self_use_mode_enabled ? inSelfUse : on
