import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { parsed } from '../../base/json/json.ts'
import type { FetchTrusted } from '../../base/network/http-client.ts'
import type { Settings } from '../../settings/settings.ts'

export const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5000
const verifyResponse = z.object({ success: z.boolean() })

type TokenCheckDeps = Readonly<{
  fetchTrusted: FetchTrusted
  verifyUrl: string
}>

/** Whether a Turnstile token is valid for this secret key; also false if the verifier cannot be reached. */
export type TokenCheck = (secretKey: string, token: string, ip: string) => Promise<boolean>

/** Calls the verifier, with a timeout of 5 s; a token is valid once (docs/reference/accounts.md#human-verification). */
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
      ({ text }) => verifyResponse.safeParse(parsed(text)).data?.success === true,
      () => false,
    )

type HumanCheckDeps = TokenCheckDeps & Readonly<{ settings: Pick<Settings, 'get'> }>

/** Throws if the Turnstile token is invalid; passes if the check is off. */
export type HumanCheck = (token: string | undefined, ip: string) => Promise<void>

/**
 * The Turnstile check (docs/reference/accounts.md#human-verification). Every call is verified again, since a token is
 * valid once.
 */
export function createHumanCheck({ settings, ...deps }: HumanCheckDeps): HumanCheck {
  const isValid = createTokenCheck(deps)
  return async (token, ip) => {
    if (!settings.get('TurnstileCheckEnabled')) return
    if (!token) throw refuse('invalid', 'turnstile.empty')
    if (!(await isValid(settings.get('TurnstileSecretKey'), token, ip))) throw refuse('forbidden', 'turnstile.fail')
  }
}
