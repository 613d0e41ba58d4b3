import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import { homePageQuery } from '../api/home-page.ts'
import { useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import { useStored } from '../api/stored.ts'
import { useTight } from '../components/use-narrow.ts'
import { loadTexts } from '../i18n.ts'
import type { MenuOwner, PageRoute } from '../page-routes.tsx'
import { type MenuLocation, menuAt, menuFor } from './menu.ts'

/** Every page that the user may open, by group in the sidebar's order; empty groups are omitted. */
export function useMenu(): readonly (readonly MenuLocation[])[] {
  const user = useUser()
  const status = useStatus()
  return useMemo(() => (user ? menuFor(user, status) : []), [user, status])
}

/** The pages of `useMenu` that the sidebar, or a page, links to. */
export function useMenuAt(owner: MenuOwner): readonly (readonly MenuLocation[])[] {
  const user = useUser()
  const status = useStatus()
  return useMemo(() => (user ? menuAt(owner, user, status) : []), [owner, user, status])
}

/**
 * Whether this page has the sidebar: not for visitors, and not on the operator's home page, setup, login, handover and
 * chat pages (docs/reference/screens.md#shell). Without an operator's page, home leads to the dashboard.
 */
export function useHasMenu(): boolean {
  const user = useUser()
  const { pathname } = useLocation()
  const { data: operatorPage } = useQuery({ ...homePageQuery, enabled: false })
  if (user === undefined) return false
  return pathname === '/' ? !operatorPage : !/^\/(?:home|setup|login|handover|chat)/.test(pathname)
}

/**
 * Whether the sidebar is collapsed: as the user last left it, else as the operator has set it. Below 1024 pixels it
 * is collapsed until the user opens it, which is remembered only while the window is that narrow
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

/** Query key of whether the sidebar was opened in a narrow window. */
const openedKey = ['sidebar-opened']

const flag = z.boolean()

/** Loads the code and texts of a page in advance. A failure shows on navigation, not now. */
export const warm = ({ load, texts = [] }: PageRoute): void =>
  void Promise.all([load(), loadTexts(texts)]).then(undefined, () => undefined)
