import { useEffect, useState } from 'react'
import { callbackPath, oauth, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import { sendWhole } from '../../api/client.ts'
import { inviteCode } from '../invite-code.ts'
import { clearToasts } from '../toasts.ts'
import { authorizeUrl } from './authorize-url.ts'
import { keepPlace } from './kept-place.ts'
import { useProviderStatus } from './offered-providers.ts'

/**
 * Leads this window to a provider, which leads it back to `/oauth/{provider}`; who is logged in binds their account there.
 * `next` is where to go once all is done, `invitation` the code of the link by which one registers.
 */
export function useRedirect(next: string | null = null, invitation = '') {
  const status = useProviderStatus()
  const [leavingTo, setLeavingTo] = useState<RedirectingProvider>()
  // A browser may show the page as it was left when one comes back by its button.
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
    // Why there is none is a toast.
    const begun = await sendWhole(oauth.state, { query }).catch(() => undefined)
    if (!begun) return setLeavingTo(undefined)
    keepPlace(next)
    location.assign(authorizeUrl(provider, status, { state: begun.data, ...begun.beside }, location.origin))
  }
  return { leavingTo, start: (provider: RedirectingProvider) => void start(provider) }
}
