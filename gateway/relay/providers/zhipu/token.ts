import { SignJWT } from 'jose'
import { sha256 } from '../../../base/ids.ts'
import type { AccessTokens } from '../provider.ts'

const DAY = 24 * 3600

/** The signed token of a key `id.secret`, made anew once a day (spec/relay.md §2.3 "zhipu"). */
export const keptToken = (key: string, accessTokens: AccessTokens, now: () => number): Promise<string> =>
  accessTokens.token(`zhipu ${sha256(key)}`, async () => ({ token: await signedToken(key, now()), seconds: DAY }))

/** A JSON Web Token (RFC 7515, HS256) with the vendor's own header `sign_type`; its times are in milliseconds. */
export function signedToken(key: string, nowMs: number): Promise<string> {
  const [id = '', secret = ''] = key.trim().split('.')
  const claims = { api_key: id, exp: nowMs + DAY * 1000, timestamp: nowMs }
  const token = new SignJWT(claims).setProtectedHeader({ alg: 'HS256', sign_type: 'SIGN' })
  return token.sign(Buffer.from(secret))
}
