import { callbackPath, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import type { ProviderStatus } from './offered-providers.ts'

/** The gateway's data for this login (`GET /api/oauth/state`). */
type StartedLogin = Readonly<{
  state: string
  code_challenge?: string | undefined
  nonce?: string | undefined
}>

/**
 * The authorization URL of a provider (docs/reference/accounts.md#login-providers). Only OIDC receives the return
 * address, which is below `origin`; the others use the address registered with them. Keeps an existing query of the
 * operator's endpoint.
 */
export function authorizeUrl(
  provider: RedirectingProvider,
  status: ProviderStatus,
  { state, code_challenge, nonce }: StartedLogin,
  origin: string,
): string {
  if (provider === 'github')
    return withQuery('https://github.com/login/oauth/authorize', {
      client_id: status.github_client_id,
      state,
      scope: 'user:email',
    })
  if (provider === 'linuxdo')
    return withQuery('https://connect.linux.do/oauth2/authorize', {
      response_type: 'code',
      client_id: status.linuxdo_client_id,
      state,
    })
  return withQuery(status.oidc_authorization_endpoint, {
    client_id: status.oidc_client_id,
    redirect_uri: origin + callbackPath('oidc'),
    response_type: 'code',
    scope: 'openid profile email',
    state,
    ...(code_challenge !== undefined && { code_challenge, code_challenge_method: 'S256' }),
    ...(nonce !== undefined && { nonce }),
  })
}

function withQuery(endpoint: string, query: Readonly<Record<string, string>>): string {
  const url = new URL(endpoint)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}
