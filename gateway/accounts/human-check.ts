import { z } from 'zod'
import { refuse } from '../base/errors.ts'
import type { FetchTrusted } from '../base/http-client.ts'
import { parsed } from '../base/json.ts'
import type { Settings } from '../settings/settings.ts'

const VERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5000
const verdict = z.object({ success: z.boolean() })

export type HumanCheckDeps = Readonly<{
  settings: Pick<Settings, 'get'>
  fetchTrusted: FetchTrusted
  /** Where tokens are verified; Cloudflare's own address unless a test stands in for it. */
  verifyUrl?: string
}>

/** Refuses when the token a person's browser got from Turnstile does not hold; passes while the check is off. */
export type HumanCheck = (token: string | undefined, ip: string) => Promise<void>

/** The Turnstile check of spec/console.md §1.5: every call is verified anew, since a token counts once. */
export const createHumanCheck =
  ({ settings, fetchTrusted, verifyUrl = VERIFY }: HumanCheckDeps): HumanCheck =>
  async (token, ip) => {
    if (!settings.get('TurnstileCheckEnabled')) return
    if (!token) throw refuse('invalid', 'turnstile.empty')
    const form = new URLSearchParams({ secret: settings.get('TurnstileSecretKey'), response: token, remoteip: ip })
    const isHuman = await fetchTrusted(verifyUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(form),
      timeoutMs: TIMEOUT_MS,
      maxBytes: 65_536,
    }).then(
      ({ text }) => verdict.safeParse(parsed(text)).data?.success === true,
      () => false,
    )
    if (!isHuman) throw refuse('forbidden', 'turnstile.fail')
  }
