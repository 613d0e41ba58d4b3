import type { Status } from '../../shared/api/status.ts'
import type { SignedIn } from '../../shared/api/user.ts'
import { type MenuEntry, menuGroups, type PageRoute, pageRoutes } from '../page-routes.tsx'
import { isFor } from './guards.tsx'

export type MenuLocation = PageRoute & Readonly<{ menu: MenuEntry }>

/** The menu of an account: the pages that its role may open and that the operator has not disabled. */
export function menuFor(
  user: SignedIn,
  status: Pick<Status, NonNullable<MenuEntry['flag']>>,
): readonly (readonly MenuLocation[])[] {
  const isOn = ({ flag }: MenuEntry) => !flag || status[flag]
  const offered = pageRoutes.filter(
    (page): page is MenuLocation => page.menu !== undefined && isFor(page.access, user) && isOn(page.menu),
  )
  return menuGroups
    .map((group) => offered.filter(({ menu }) => menu.group === group))
    .filter((group) => group.length > 0)
}
