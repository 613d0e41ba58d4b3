import { z } from 'zod'
import { refuse } from '../base/errors.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import { parsed } from '../base/json.ts'
import type { Settings } from '../settings/settings.ts'

/** Where Turnstile says whether a token holds. */
export const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5000
const verdict = z.object({ success: z.boolean() })

type TokenCheckDeps = Readonly<{
  fetchTrusted: FetchTrusted
  /** Where tokens are verified: TURNSTILE_VERIFY_URL, unless a test stands in for it. */
  verifyUrl: string
}>

/** Whether a token that a browser got from Turnstile holds for these keys; false as well when that cannot be learnt. */
export type TokenCheck = (secretKey: string, token: string, ip: string) => Promise<boolean>

/** Asks the verifier, for 5 s at most; a token counts once (docs/reference/accounts.md#human-check). */
export const createTokenCheck =
  ({ fetchTrusted, verifyUrl }: TokenCheckDeps): TokenCheck =>
  (secretKey, token, ip) =>
    fetchTrusted(verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams({ secret: secretKey, response: token, remoteip: ip })),
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
    }).then(
      ({ text }) => verdict.safeParse(parsed(text)).data?.success === true,
      () => false,
    )

type HumanCheckDeps = TokenCheckDeps & Readonly<{ settings: Pick<Settings, 'get'> }>

/** Refuses when the token a person's browser got from Turnstile does not hold; passes while the check is off. */
export type HumanCheck = (token: string | undefined, ip: string) => Promise<void>

/**
 * The Turnstile check of docs/reference/accounts.md#human-check: every call is verified again, since a token counts
 * once.
 */
export function createHumanCheck({ settings, ...deps }: HumanCheckDeps): HumanCheck {
  const holds = createTokenCheck(deps)
  return async (token, ip) => {
    if (!settings.get('TurnstileCheckEnabled')) return
    if (!token) throw refuse('invalid', 'turnstile.empty')
    if (!(await holds(settings.get('TurnstileSecretKey'), token, ip))) throw refuse('forbidden', 'turnstile.fail')
  }
}
