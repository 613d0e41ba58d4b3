import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { RedirectingProvider } from '../../../shared/api/oauth.ts'
import { GatewayError, refuse } from '../../base/errors.ts'
import type { FetchTrusted } from '../../base/http-client.ts'
import { objectIn, parsed } from '../../base/json.ts'
import type { Logger } from '../../base/logger.ts'
import type { Settings } from '../../settings/settings.ts'
import type { BegunLogin } from '../../shared-state/oauth-states.ts'
import { providerFetch } from './provider-fetch.ts'
import { kinds, type ProvidedIdentity } from './who.ts'

/** Where providers that have one address for all are; a test stands in for them. */
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

/** What somebody came back with, and how their login had begun. */
export type CameBack = Readonly<{ code: string; redirectUri: string; proof: BegunLogin['proof'] }>

/**
 * Exchanges a code for whom the provider says it belongs to. Refuses with `oauth.unreachable`, `oauth.client_refused` where
 * it does not take our client's secret, or `oauth.bad_answer`; what it said is in the process's log.
 */
export type Exchange = (provider: RedirectingProvider, back: CameBack) => Promise<ProvidedIdentity>

/** The code flow of OAuth 2.0 (RFC 6749 §4.1) and of OpenID Connect Core §3.1, by oauth4webapi. */
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

/** What is wrong with us, and not with who logs in (RFC 6749 §5.2). */
const CLIENT_ERRORS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client'])

type OneExchange = (back: CameBack) => Promise<ProvidedIdentity>

type Asked = CameBack & Readonly<{ server: oauth.AuthorizationServer; client: oauth.Client; auth: oauth.ClientAuth }>

/** One token for a code. */
async function tokenFor(deps: RedirectingDeps, { server, client, auth, code, redirectUri, proof }: Asked) {
  const back = oauth.validateAuthResponse(server, client, new URLSearchParams({ code }), oauth.skipStateCheck)
  const verifier = proof?.verifier ?? oauth.nopkce
  const answered = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    auth,
    back,
    redirectUri,
    verifier,
    through(deps),
  )
  const expectedNonce = proof?.nonce || oauth.expectNoNonce
  return { answered, token: await oauth.processAuthorizationCodeResponse(server, client, answered, { expectedNonce }) }
}

/** What of a person a plain provider tells at this address. */
async function profileAt(deps: RedirectingDeps, url: string, token: string): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json', 'user-agent': 'Switchyard' })
  const answered = await oauth.protectedResourceRequest(token, 'GET', new URL(url), headers, null, through(deps))
  if (answered.status !== 200) throw new Error(`the profile was answered with ${answered.status}`)
  return answered.json()
}

/** Operators may have their provider in their own network, without TLS. */
const through = ({ fetchTrusted }: RedirectingDeps) => ({
  [oauth.customFetch]: providerFetch(fetchTrusted) as never, // the library's type is of every `fetch` there is
  [oauth.allowInsecureRequests]: true,
})

const numericId = z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]).transform(String)
const shortText = z
  .string()
  .max(300)
  .nullish()
  .transform((text) => text?.trim() ?? '')

/** Bound by the number of the account: a name can be given up and taken by somebody else. */
function github(deps: RedirectingDeps): OneExchange {
  const profile = z.object({ id: numericId, login: shortText, name: shortText, email: shortText })
  return async (back) => {
    const { settings, addresses } = deps
    const server = { issuer: addresses.github, token_endpoint: `${addresses.github}/login/oauth/access_token` }
    const client = { client_id: settings.get('GitHubClientId') }
    const auth = oauth.ClientSecretPost(settings.get('GitHubClientSecret'))
    const { token } = await tokenFor(deps, { ...back, proof: null, server, client, auth })
    const found = profile.parse(await profileAt(deps, `${addresses.githubApi}/user`, token.access_token))
    const { id, login, name, email } = found
    // GitHub shows an address in public only once it was verified.
    const formerId = /^\d*$/.test(login) ? undefined : login
    return { id, formerId, displayName: name || 'GitHub User', email }
  }
}

function linuxdo(deps: RedirectingDeps): OneExchange {
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

/** As browsers and the family send it: without the encoding of RFC 6749 §2.3.1, which this provider is not known to undo. */
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
 * With a Well-Known URL the issuer, the nonce and the signature of the ID token are checked, and its claims count where the
 * provider's own endpoint has none; without one nobody knows the issuer, and only what that endpoint says of the token counts.
 */
function oidc(deps: RedirectingDeps): OneExchange {
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
    const asked = { ...back, server, client, auth }
    const { token, answered } = found ? await tokenFor(deps, asked) : await plainToken(deps, asked)
    const isSigned = found?.jwks_uri !== undefined && token.id_token !== undefined
    if (isSigned) await oauth.validateApplicationLevelSignature(server, answered, through(deps))
    const idToken = oauth.getValidatedIdTokenClaims(token)
    const told = await oauth.userInfoRequest(server, client, token.access_token, through(deps))
    const subject = idToken?.sub ?? oauth.skipSubjectCheck
    const info = claims.parse(await oauth.processUserInfoResponse(server, client, subject, told))
    if (isJwt(told)) await oauth.validateApplicationLevelSignature(server, told, through(deps))
    return identityIn(info, isSigned ? claims.safeParse(idToken).data : undefined)
  }
}

/** What UserInfo tells counts before what the ID token does; an address and whether it is verified come from the same one. */
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
 * In the form where the provider offers that, else in the header, which is what it takes where its document says nothing
 * (OpenID Connect Discovery §3). Without a document nobody knows, and most take the form.
 */
function clientAuth(found: oauth.AuthorizationServer | undefined, secret: string): oauth.ClientAuth {
  const isPost = !found || found.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  return isPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret)
}

/** A token whose ID token nobody can check is taken for its access alone. */
const plainToken = (deps: RedirectingDeps, { proof, ...asked }: Asked) =>
  tokenFor(
    { ...deps, fetchTrusted: withoutIdToken(deps.fetchTrusted) },
    { ...asked, proof: proof && { ...proof, nonce: '' } },
  )

const withoutIdToken =
  (fetchTrusted: FetchTrusted): FetchTrusted =>
  async (url, ask) => {
    const answered = await fetchTrusted(url, ask)
    const { id_token: _, ...rest } = objectIn(parsed(answered.text))
    return { ...answered, text: JSON.stringify(rest) }
  }

/** What is needed of RFC 8414 metadata; the endpoints are those of the settings. */
const metadata = z.object({
  issuer: z.url(),
  jwks_uri: z.url().optional(),
  id_token_signing_alg_values_supported: z.array(z.string()).optional(),
  userinfo_signing_alg_values_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})

async function discovered(deps: RedirectingDeps): Promise<oauth.AuthorizationServer> {
  const answered = await providerFetch(deps.fetchTrusted)(deps.settings.get('oidc.well_known'), {
    method: 'GET',
    headers: { accept: 'application/json' },
  })
  const { issuer, ...said } = metadata.parse(await answered.json())
  return { issuer, ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)) }
}
