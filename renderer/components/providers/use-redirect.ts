import { useEffect, useState } from 'react'
import { callbackPath, oauth, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import { sendWhole } from '../../api/client.ts'
import { inviteCode } from '../invite-code.ts'
import { clearToasts } from '../toasts.ts'
import { authorizeUrl } from './authorize-url.ts'
import { useProviderStatus } from './offered-providers.ts'
import { storeLoginNext } from './stored-next.ts'

/**
 * Redirects to a provider, which returns to `/oauth/{provider}`; a signed-in user binds their account there. `next`
 * is the page to go to afterwards, `invitation` the invite code for a registration.
 */
export function useRedirect(next: string | null = null, invitation = '') {
  const status = useProviderStatus()
  const [leavingTo, setLeavingTo] = useState<RedirectingProvider>()
  // The back button may restore the page from the cache in its previous state.
  useEffect(() => {
    const stay = ({ persisted }: PageTransitionEvent) => persisted && setLeavingTo(undefined)
    window.addEventListener('pageshow', stay)
    return () => window.removeEventListener('pageshow', stay)
  }, [])
  const start = async (provider: RedirectingProvider) => {
    if (!status) return
    clearToasts()
    setLeavingTo(provider)
    const query = {
      aff: inviteCode(),
      invitation,
      redirect_uri: location.origin + callbackPath(provider),
      pkce: provider === 'oidc',
    }
    // The error is shown as a toast.
    const started = await sendWhole(oauth.state, { query }).catch(() => undefined)
    if (!started) return setLeavingTo(undefined)
    storeLoginNext(next)
    location.assign(authorizeUrl(provider, status, { state: started.data, ...started.extras }, location.origin))
  }
  return { leavingTo, start: (provider: RedirectingProvider) => void start(provider) }
}
