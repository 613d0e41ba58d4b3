import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { RedirectingProvider } from '../../../shared/api/oauth.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import { objectIn, parsed } from '../../base/json/json.ts'
import type { Logger } from '../../base/log/logger.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StartedLogin } from '../../shared-state/oauth-states.ts'
import { kinds, type ProvidedIdentity } from './external-identity.ts'
import { providerFetch } from './provider-fetch.ts'

/** Addresses of providers that have the same address for every installation; tests replace them. */
export type ProviderAddresses = Readonly<{ github: string; githubApi: string; linuxdo: string }>
export const providerAddresses: ProviderAddresses = {
  github: 'https://github.com',
  githubApi: 'https://api.github.com',
  linuxdo: 'https://connect.linux.do',
}

type RedirectingDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  fetchTrusted: FetchTrusted
  addresses: ProviderAddresses
  log: Logger
}>

type CameBack = Readonly<{ code: string; redirectUri: string; proof: StartedLogin['proof'] }>

/**
 * Exchanges a code for the identity it belongs to. Throws `oauth.unreachable`, `oauth.client_refused` if the provider
 * rejects our client's secret, or `oauth.bad_answer`; the provider's response is logged.
 */
export type Exchange = (provider: RedirectingProvider, back: CameBack) => Promise<ProvidedIdentity>

/** The code flow of OAuth 2.0 (RFC 6749 §4.1) and of OpenID Connect Core §3.1, using oauth4webapi. */
export function createExchange(deps: RedirectingDeps): Exchange {
  const exchanges = { github: github(deps), linuxdo: linuxdo(deps), oidc: oidc(deps) }
  return async (provider, back) => {
    try {
      return await exchanges[provider](back)
    } catch (cause) {
      const challenges = cause instanceof oauth.WWWAuthenticateChallengeError ? { challenges: cause.cause } : {}
      deps.log.warn('a login at a provider has failed', { provider, error: cause, ...challenges })
      throw refuse('upstream', reasonOf(cause), { name: kinds[provider].name }, { cause })
    }
  }
}

function reasonOf(cause: unknown): 'oauth.unreachable' | 'oauth.client_refused' | 'oauth.bad_answer' {
  if (cause instanceof GatewayError) return 'oauth.unreachable'
  const isClient = cause instanceof oauth.ResponseBodyError && CLIENT_ERRORS.has(cause.error)
  return isClient ? 'oauth.client_refused' : 'oauth.bad_answer'
}

/** Errors of our configuration, not of the user (RFC 6749 §5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

type ProviderExchange = (back: CameBack) => Promise<ProvidedIdentity>

type TokenRequest = CameBack &
  Readonly<{ server: oauth.AuthorizationServer; client: oauth.Client; auth: oauth.ClientAuth }>

async function tokenFor(deps: RedirectingDeps, { server, client, auth, code, redirectUri, proof }: TokenRequest) {
  const back = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.skipStateCheck)
  const verifier = proof?.verifier ?? oauth.nopkce
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    back,
    redirectUri,
    verifier,
    through(deps),
  )
  const expectedNonce = proof?.nonce || oauth.expectNoNonce
  return {
    answered: response,
    token: await oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce }),
  }
}

async function profileAt(deps: RedirectingDeps, url: string, token: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Switchyard' })
  const response = await oauth.protectedResourceRequest(token, 'GET', new URL(url), headers, null, through(deps))
  if (response.status !== 200) throw new Error(`the profile was answered with ${response.status}`)
  return response.json()
}

/** Allows http, since operators may run their provider in their own network. */
const through = ({ fetchTrusted }: RedirectingDeps) => ({
  [oauth.customFetch]: providerFetch(fetchTrusted) as never, // the library's type covers every `fetch`
  [oauth.allowInsecureRequests]: true,
})

const numericId = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String)
const shortText = z
  .string()
  .max(300)
  .nullish()
  .transform((text) => text?.trim() ?? '')

/** Accounts are bound by their number at GitHub: a name can be given up and taken by someone else. */
function github(deps: RedirectingDeps): ProviderExchange {
  const profile = z.object({ id: numericId, login: shortText, name: shortText, email: shortText })
  return async (back) => {
    const { settings, addresses } = deps
    const server = { issuer: addresses.github, token_endpoint: `${addresses.github}/login/oauth/access_token` }
    const client = { client_id: settings.get('GitHubClientId') }
    const auth = oauth.ClientSecretPost(settings.get('GitHubClientSecret'))
    const { token } = await tokenFor(deps, { ...back, proof: null, server, client, auth })
    const found = profile.parse(await profileAt(deps, `${addresses.githubApi}/user`, token.access_token))
    const { id, login, name, email } = found
    const formerId = /^\d*$/.test(login) ? undefined : login
    // GitHub only makes an address public once it is verified.
    return { id, formerId, displayName: name || 'GitHub User', email }
  }
}

function linuxdo(deps: RedirectingDeps): ProviderExchange {
  const profile = z.object({ id: numericId, name: shortText, username: shortText })
  return async (back) => {
    const { settings, addresses } = deps
    const server = { issuer: addresses.linuxdo, token_endpoint: `${addresses.linuxdo}/oauth2/token` }
    const client = { client_id: settings.get('LinuxDOClientId') }
    const auth = plainBasic(client.client_id, settings.get('LinuxDOClientSecret'))
    const { token } = await tokenFor(deps, { ...back, proof: null, server, client, auth })
    const { id, name, username } = profile.parse(
      await profileAt(deps, `${addresses.linuxdo}/api/user`, token.access_token),
    )
    return { id, displayName: name || username || 'LINUX DO User', email: '' }
  }
}

/**
 * Basic authentication as browsers and related gateways send it: without the encoding of RFC 6749 §2.3.1, which this
 * provider is not known to decode.
 */
const plainBasic =
  (id: string, secret: string): oauth.ClientAuth =>
  (_server, _client, _body, headers) =>
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`)

const claims = z.object({
  sub: z.string().min(1).max(255),
  preferred_username: shortText,
  name: shortText,
  email: shortText,
  email_verified: z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')]).nullish(),
})
type Claims = z.infer<typeof claims>

/**
 * With a Well-Known URL, the issuer, the nonce and the signature of the ID token are verified, and its claims are used
 * for those that UserInfo lacks. Without the URL the issuer is unknown, and only UserInfo is used.
 */
function oidc(deps: RedirectingDeps): ProviderExchange {
  return async (back) => {
    const { settings } = deps
    const client = { client_id: settings.get('oidc.client_id') }
    const found = settings.get('oidc.well_known') === '' ? undefined : await discovered(deps)
    const auth = clientAuth(found, settings.get('oidc.client_secret'))
    const server: oauth.AuthorizationServer = {
      ...(found ?? { issuer: 'https://unknown.invalid' }),
      token_endpoint: settings.get('oidc.token_endpoint'),
      userinfo_endpoint: settings.get('oidc.user_info_endpoint'),
    }
    const request = { ...back, server, client, auth }
    const { token, answered: response } = found ? await tokenFor(deps, request) : await plainToken(deps, request)
    const isSigned = found?.jwks_uri !== undefined && token.id_token !== undefined
    if (isSigned) await oauth.validateApplicationLevelSignature(server, response, through(deps))
    const idToken = oauth.getValidatedIdTokenClaims(token)
    const userInfo = await oauth.userInfoRequest(server, client, token.access_token, through(deps))
    const subject = idToken?.sub ?? oauth.skipSubjectCheck
    const info = claims.parse(await oauth.processUserInfoResponse(server, client, subject, userInfo))
    if (isJwt(userInfo)) await oauth.validateApplicationLevelSignature(server, userInfo, through(deps))
    return identityIn(info, isSigned ? claims.safeParse(idToken).data : undefined)
  }
}

/** UserInfo takes precedence over the ID token; the address and whether it is verified come from the same source. */
function identityIn(info: Claims, idToken: Claims | undefined): ProvidedIdentity {
  const { email, email_verified: isVerified } = info.email === '' && idToken ? idToken : info
  return {
    id: info.sub,
    username: info.preferred_username || idToken?.preferred_username,
    displayName: info.name || idToken?.name || 'OIDC User',
    email: isVerified ? email : '',
    ...(email === '' && { notNew: 'oauth.no_email' }),
    ...(email !== '' && isVerified === false && { notNew: 'oauth.unverified_email' }),
  }
}

const isJwt = ({ headers }: Response): boolean => headers.get('content-type')?.startsWith('application/jwt') === true

/**
 * Sends the secret in the form body if the provider supports that, else in the header, which is the default if its
 * metadata names no method (OpenID Connect Discovery §3). Without metadata, uses the form, which most providers accept.
 */
function clientAuth(found: oauth.AuthorizationServer | undefined, secret: string): oauth.ClientAuth {
  const isPost = !found || found.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  return isPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}

/** Requests a token without its ID token, which cannot be verified. */
const plainToken = (deps: RedirectingDeps, { proof, ...request }: TokenRequest) =>
  tokenFor(
    { ...deps, fetchTrusted: withoutIdToken(deps.fetchTrusted) },
    { ...request, proof: proof && { ...proof, nonce: '' } },
  )

const withoutIdToken =
  (fetchTrusted: FetchTrusted): FetchTrusted =>
  async (url, options) => {
    const response = await fetchTrusted(url, options)
    const { id_token: _, ...rest } = objectIn(parsed(response.text))
    return { ...response, text: JSON.stringify(rest) }
  }

/** The required subset of RFC 8414 metadata; the endpoints come from the settings. */
const metadata = z.object({
  issuer: z.url(),
  jwks_uri: z.url().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  userinfo_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

async function discovered(deps: RedirectingDeps): Promise<oauth.AuthorizationServer> {
  const response = await providerFetch(deps.fetchTrusted)(deps.settings.get('oidc.well_known'), {
    method: 'GET',
    headers: { accept: 'application/json' },
  })
  const { issuer, ...fields } = metadata.parse(await response.json())
  return { issuer, ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) }
}
