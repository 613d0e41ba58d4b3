import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { callbackPath, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { refuse } from '../../base/errors.ts'
import { randomSecret, sha256 } from '../../base/ids.ts'
import type { OauthStates } from '../../shared-state/oauth-states.ts'
import type { UserRow } from '../../store/schema/schema.ts'
import type { RegistrationDoor } from '../recovery/registration.ts'
import { kinds } from './external-identity.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import type { Exchange } from './redirecting.ts'

export { LOGIN_SECONDS } from '../../shared-state/oauth-states.ts'

type LoginsDeps = Readonly<{ states: OauthStates; exchange: Exchange; signIns: ProviderSignIn }>

type Beginning = Readonly<{
  /** The provider that must redirect back; null for any. */
  provider: RedirectingProvider | null
  /** The mark this browser stores during the login. */
  mark: string
  /** 0 for a visitor. */
  userId: number
  inviteCode: string
  /** The code of an invitation link; empty if there is none. */
  invitation: string
  /** Scheme, host and port of the console. */
  origin: string
  /** Whether the request will carry a challenge and a nonce. */
  isProven: boolean
}>

type CallbackParams = Readonly<{
  state: string
  code: string
  error: string
  error_description: string
  mark: string | undefined
  /** 0 for a visitor. */
  userId: number
  door: RegistrationDoor
  locale: Locale
  /** Throws if the user is no longer logged in: the exchange with the provider takes a while. */
  recheck: () => Promise<void>
}>

/**
 * Logins at a provider, from creating the state to finding the account (docs/reference/accounts.md#login-providers).
 */
export interface Logins {
  begin(beginning: Beginning): Promise<{ state: string; proof: { code_challenge: string; nonce: string } | null }>
  /** Returns the account that is logged in; null if the provider was bound to the account already logged in. */
  end(provider: RedirectingProvider, back: CallbackParams): Promise<UserRow | null>
}

/** A state is consumed whether or not the login succeeds. */
export const createLogins = ({ states, exchange, signIns }: LoginsDeps): Logins => ({
  async begin({ mark, isProven, ...beginning }) {
    const state = randomSecret()
    const proof = isProven ? { verifier: randomSecret(), nonce: randomSecret() } : null
    await states.put(state, { ...beginning, browser: sha256(mark), proof })
    if (!proof) return { state, proof }
    return { state, proof: { code_challenge: await calculatePKCECodeChallenge(proof.verifier), nonce: proof.nonce } }
  },
  async end(provider, { state, code, mark, userId, door, locale, recheck, ...errors }) {
    const stored = state === '' ? undefined : await states.take(state)
    const isExpected = stored?.userId === userId && (stored.provider ?? provider) === provider
    if (!stored || !mark || sha256(mark) !== stored.browser || !isExpected) throw refuse('forbidden', 'oauth.state')
    signIns.requireOn(provider)
    const { name } = kinds[provider]
    if (errors.error !== '')
      throw refuse('forbidden', 'oauth.denied', { name, said: errors.error_description || errors.error })
    if (code === '') throw refuse('upstream', 'oauth.bad_answer', { name })
    const redirectUri = stored.origin + callbackPath(provider)
    const identity = await exchange(provider, { code, redirectUri, proof: stored.proof })
    const { inviteCode, invitation } = stored
    if (userId === 0) return signIns.enter(provider, identity, { inviteCode, invitation, door, locale })
    await recheck()
    await signIns.bind(userId, provider, identity.id, locale)
    return null
  },
})
