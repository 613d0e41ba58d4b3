import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import type { SignedIn } from '../../shared/api/user.ts'
import { useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import { useStored } from '../api/stored.ts'
import { useTight } from '../components/use-narrow.ts'
import { loadTexts } from '../i18n.ts'
import { type MenuEntry, menuGroups, type PageRoute, pageRoutes } from '../page-routes.tsx'
import { isFor } from './guards.tsx'

/** A page that has a place in the menu. */
export type MenuPlace = PageRoute & Readonly<{ menu: MenuEntry }>

/** The pages that the menu offers to who is signed in, group by group in the sidebar's order; groups without pages are left out. */
export function useMenu(): readonly (readonly MenuPlace[])[] {
  const user = useUser()
  const { enable_drawing, enable_task } = useStatus()
  return useMemo(
    () => (user ? menuFor(user, { enable_drawing, enable_task }) : []),
    [user, enable_drawing, enable_task],
  )
}

/** What the operator has turned on. */
type Flags = Readonly<Record<NonNullable<MenuEntry['while']>, boolean>>

function menuFor(user: SignedIn, flags: Flags): readonly (readonly MenuPlace[])[] {
  const offered = pageRoutes.filter(
    (place): place is MenuPlace => place.menu !== undefined && isFor(place.access, user) && isOn(place.menu, flags),
  )
  return menuGroups
    .map((group) => offered.filter(({ menu }) => menu.group === group))
    .filter((group) => group.length > 0)
}

const isOn = ({ while: flag }: MenuEntry, flags: Flags): boolean => flag === undefined || flags[flag]

/**
 * Whether this page has the menu beside it: not for visitors, and not on the landing, the setup, the login and its hand-over
 * (docs/reference/screens.md#shell).
 */
export function useHasMenu(): boolean {
  const user = useUser()
  const { pathname } = useLocation()
  return user !== undefined && !/^\/(?:$|home|setup|login|handover)/.test(pathname)
}

/**
 * Whether the sidebar shows its icons only: as the person has last left it, before that as the operator has set it. Below
 * 1024 pixels it does until somebody opens it, which is remembered no longer than the window is that wide
 * (docs/reference/screens.md#shell).
 */
export function useCollapsed(): [boolean, (isCollapsed: boolean) => void] {
  const [stored, store] = useStored('default_collapse_sidebar', flag)
  const { default_collapse_sidebar: isUsual } = useStatus()
  const isTight = useTight()
  const queries = useQueryClient()
  const { data: isOpened = false } = useQuery({ queryKey: openedKey, queryFn: skipToken, initialData: false })
  useEffect(() => {
    if (!isTight) queries.setQueryData(openedKey, false)
  }, [isTight, queries])
  if (isTight) return [!isOpened, (isCollapsed) => queries.setQueryData(openedKey, !isCollapsed)]
  return [stored ?? isUsual, store]
}

/** Where it is kept that the sidebar was opened in a window that has little room for it. */
const openedKey = ['sidebar-opened']

const flag = z.boolean()

/** Fetches the code and the texts of a page before it is asked for. A failure is told when the person goes there, not now. */
export const warm = ({ load, texts = [] }: PageRoute): void =>
  void Promise.all([load(), loadTexts(texts)]).then(undefined, () => undefined)
