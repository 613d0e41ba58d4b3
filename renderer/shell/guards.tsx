import type { ReactNode } from 'react'
import { Navigate, useLocation, useSearchParams } from 'react-router-dom'
import { loginPath, useUser } from '../api/session.ts'
import { useStatus } from '../api/status.ts'

/** Who may see a page. `setup`: only before the first setup; `guest`: who is not signed in; `user`: who is. */
export type Access = 'anyone' | 'setup' | 'guest' | 'user'

/** Sends elsewhere whoever may not see the page (specification 1 §2): to the setup, to the login or home. */
export function Guard({ access, children }: { access: Access; children: ReactNode }) {
  const elsewhere = useElsewhere(access)
  return elsewhere === undefined ? children : <Navigate to={elsewhere} replace />
}

/** Where to send the person, or undefined to let them stay. The setup's one-time code travels along. */
function useElsewhere(access: Access): string | undefined {
  const { setup: isSetUp } = useStatus()
  const user = useUser()
  const [query] = useSearchParams()
  const { search } = useLocation()
  if (access === 'setup') return isSetUp ? '/' : undefined
  if (!isSetUp) return `/setup${query.has('code') ? search : ''}`
  if (access === 'user' && !user) return loginPath()
  if (access === 'guest' && user && query.get('expired') !== 'true') return '/token'
  return undefined
}
