import type { ReactNode } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import type { SignedIn } from '../../shared/api/user.ts'
import { role } from '../../shared/enums.ts'
import { factorsMissing } from '../api/factors-missing.ts'
import { landing, nextPlace } from '../api/next-place.ts'
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
export const isFor = (access: Access, user: SignedIn): boolean => user.role >= (leastRoles[access] ?? role.user)

const leastRoles: Partial<Record<Access, number>> = { admin: role.admin, root: role.root }

/** Where to send the person, or undefined to let them stay. The setup's one-time code travels along. */
function useElsewhere(access: Access): string | undefined {
  const { setup: isSetUp } = useStatus()
  const user = useUser()
  const [query] = useSearchParams()
  const place = useLocation()
  const missing = factorsMissing.use()
  if (access === 'setup') return isSetUp ? '/' : undefined
  if (!isSetUp) return `/setup${query.has('code') ? place.search : ''}`
  if (missing?.isMissing && missing.userId === user?.id && place.pathname !== '/personal') return '/personal'
  if (access === 'guest')
    return user && query.get('expired') !== 'true'
      ? nextPlace(query.get('next') ?? placeLedTo(), location.origin)
      : undefined
  if (access === 'anyone') return undefined
  if (!user) return loginPath(place)
  return isFor(access, user) ? undefined : landing
}
