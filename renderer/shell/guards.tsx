import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import type { SignedIn } from '../../shared/api/user.ts'
import { role } from '../../shared/enums.ts'
import { factorsMissing } from '../api/factors-missing.ts'
import { nextPath, type PageLocation, startPage } from '../api/next-path.ts'
import { loginDestination, loginPath, useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import type { Access } from '../page-routes.tsx'

/**
 * Redirects users who may not see the page (docs/reference/screens.md#routes) to the setup, the login or a page that
 * they may see; and users who must set up a second factor to their personal settings.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const elsewhere = useElsewhere(access)
  return elsewhere === undefined ? children : <Navigate to={elsewhere} replace />
}

/** Whether the user may open the page; menus show no others. */
export const isFor = (access: Access, user: SignedIn): boolean => user.role >= (minRoles[access] ?? role.user)

const minRoles: Partial<Record<Access, number>> = { admin: role.admin, root: role.root }

function useElsewhere(access: Access): string | undefined {
  const { setup: isSetUp } = useStatus()
  const user = useUser()
  const current = useLocation()
  const missing = factorsMissing.use()
  const lacksFactors = missing?.isMissing === true && missing.userId === user?.id
  return elsewhereFor(access, { isSetUp, user, lacksFactors, current, origin: location.origin })
}

/** A visit to a page: the user, whether they must set up a second factor first, and whether the gateway is set up. */
export type Visit = Readonly<{
  isSetUp: boolean
  user: SignedIn | undefined
  lacksFactors: boolean
  current: PageLocation
  origin: string
}>

/** Where to redirect, or undefined to stay. The setup's one-time code is passed along. */
export function elsewhereFor(access: Access, { isSetUp, user, lacksFactors, current, origin }: Visit) {
  if (access === 'setup') return isSetUp ? '/' : undefined
  const query = new URLSearchParams(current.search)
  if (!isSetUp) return `/setup${query.has('code') ? current.search : ''}`
  if (lacksFactors && current.pathname !== '/personal') return '/personal'
  if (access === 'guest')
    return user && query.get('expired') !== 'true'
      ? nextPath(query.get('next') ?? loginDestination(), origin)
      : undefined
  if (access === 'anyone') return undefined
  if (!user) return loginPath(current)
  if (isFor(access, user)) return undefined
  return current.pathname === '/setting' ? '/personal' : startPage
}
