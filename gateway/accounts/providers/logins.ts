import { calculatePKCECodeChallenge } from 'oauth4webapi'
import { callbackPath, type RedirectingProvider } from '../../../shared/api/oauth.ts'
import type { Locale } from '../../../shared/messages/format.ts'
import { refuse } from '../../base/errors.ts'
import { randomSecret, sha256 } from '../../base/ids.ts'
import type { OauthStates } from '../../shared-state/oauth-states.ts'
import type { UserRow } from '../../store/schema.ts'
import type { RegistrationDoor } from '../registration.ts'
import type { ProviderSignIn } from './provider-sign-in.ts'
import type { Exchange } from './redirecting.ts'
import { kinds } from './who.ts'

export { LOGIN_SECONDS } from '../../shared-state/oauth-states.ts'

type LoginsDeps = Readonly<{ states: OauthStates; exchange: Exchange; signIns: ProviderSignIn }>

/** Who begins, and where they will come back. */
export type Beginning = Readonly<{
  /** Which one must send the browser back; null for any. */
  provider: RedirectingProvider | null
  /** What this browser keeps meanwhile. */
  mark: string
  /** 0 for a visitor. */
  userId: number
  inviteCode: string
  /** The code of a link of invitation; empty without one. */
  invitation: string
  /** Scheme, host and port of the console. */
  origin: string
  /** Whether the request will carry a challenge and a nonce. */
  isProven: boolean
}>

/** What a browser has come back with. */
type Return = Readonly<{
  state: string
  code: string
  error: string
  error_description: string
  mark: string | undefined
  /** 0 for a visitor. */
  userId: number
  door: RegistrationDoor
  locale: Locale
  /** Refuses where whoever was logged in is so no more: a provider takes its time. */
  recheck: () => Promise<void>
}>

/** Logins at a provider, from the state to the account (docs/reference/accounts.md#sign-in-by-others). */
export interface Logins {
  begin(beginning: Beginning): Promise<{ state: string; proof: { code_challenge: string; nonce: string } | null }>
  /** Whom the provider lets in; null where the account that is logged in was bound. */
  end(provider: RedirectingProvider, back: Return): Promise<UserRow | null>
}

/** The flow over what is remembered of it; a state is spent whatever comes of it. */
export const createLogins = ({ states, exchange, signIns }: LoginsDeps): Logins => ({
  async begin({ mark, isProven, ...beginning }) {
    const state = randomSecret()
    const proof = isProven ? { verifier: randomSecret(), nonce: randomSecret() } : null
    await states.put(state, { ...beginning, browser: sha256(mark), proof })
    if (!proof) return { state, proof }
    return { state, proof: { code_challenge: await calculatePKCECodeChallenge(proof.verifier), nonce: proof.nonce } }
  },
  async end(provider, { state, code, mark, userId, door, locale, recheck, ...said }) {
    const begun = state === '' ? undefined : await states.take(state)
    const isSame = begun?.userId === userId && (begun.provider ?? provider) === provider
    if (!begun || !mark || sha256(mark) !== begun.browser || !isSame) throw refuse('forbidden', 'oauth.state')
    signIns.requireOn(provider)
    const { name } = kinds[provider]
    if (said.error !== '')
      throw refuse('forbidden', 'oauth.denied', { name, said: said.error_description || said.error })
    if (code === '') throw refuse('upstream', 'oauth.bad_answer', { name })
    const redirectUri = begun.origin + callbackPath(provider)
    const who = await exchange(provider, { code, redirectUri, proof: begun.proof })
    const { inviteCode, invitation } = begun
    if (userId === 0) return signIns.enter(provider, who, { inviteCode, invitation, door, locale })
    await recheck()
    await signIns.bind(userId, provider, who.id, locale)
    return null
  },
})
