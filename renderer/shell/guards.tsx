import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import type { SignedIn } from '../../shared/api/user.ts'
import { role } from '../../shared/enums.ts'
import { factorsMissing } from '../api/factors-missing.ts'
import { landing, nextPlace, type Place } from '../api/next-place.ts'
import { loginPath, placeLedTo, useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'
import type { Access } from '../page-routes.tsx'

/**
 * Sends elsewhere whoever may not see the page (docs/reference/screens.md#routes): to the setup, to the login or home; and to
 * their personal settings who must set up a second factor first.
 */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const elsewhere = useElsewhere(access)
  return elsewhere === undefined ? children : <Navigate to={elsewhere} replace />
}

/** Whether a page that needs somebody signed in is for this person; menus show no other. */
export const isFor = (access: Access, user: SignedIn): boolean => user.role >= (minRoles[access] ?? role.user)

const minRoles: Partial<Record<Access, number>> = { admin: role.admin, root: role.root }

function useElsewhere(access: Access): string | undefined {
  const { setup: isSetUp } = useStatus()
  const user = useUser()
  const place = useLocation()
  const missing = factorsMissing.use()
  const lacksFactors = missing?.isMissing === true && missing.userId === user?.id
  return elsewhereFor(access, { isSetUp, user, lacksFactors, place, origin: location.origin })
}

/** Somebody at a page: whether they must set up a second factor first, and whether anybody has set the gateway up. */
export type Visit = Readonly<{
  isSetUp: boolean
  user: SignedIn | undefined
  lacksFactors: boolean
  place: Place
  origin: string
}>

/** Where to send the person, or undefined to let them stay. The setup's one-time code travels along. */
export function elsewhereFor(access: Access, { isSetUp, user, lacksFactors, place, origin }: Visit) {
  if (access === 'setup') return isSetUp ? '/' : undefined
  const query = new URLSearchParams(place.search)
  if (!isSetUp) return `/setup${query.has('code') ? place.search : ''}`
  if (lacksFactors && place.pathname !== '/personal') return '/personal'
  if (access === 'guest')
    return user && query.get('expired') !== 'true' ? nextPlace(query.get('next') ?? placeLedTo(), origin) : undefined
  if (access === 'anyone') return undefined
  if (!user) return loginPath(place)
  if (isFor(access, user)) return undefined
  return place.pathname === '/setting' ? '/personal' : landing
}
