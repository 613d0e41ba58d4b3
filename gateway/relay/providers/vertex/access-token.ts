import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { sha256 } from '../../../base/ids.ts'
import { numberIn, textIn } from '../../../base/json/json.ts'
import type { DialTools, Target } from '../provider.ts'
import { type ServiceAccount, serviceAccount } from './models.ts'

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const HOUR = 3600

/**
 * Returns the access token of a channel's service account, cached until shortly before it expires (RFC 7523, and
 * Google's "Using OAuth 2.0 for Server to Server Applications"). Rejects with Google's error, or an error about the
 * key.
 */
export function accessToken({ channel, accessTokens }: Target, { requestJson, now }: DialTools): Promise<string> {
  const name = `vertex ${sha256(channel.key)}`
  return accessTokens.token(name, async () => {
    const account = serviceAccount(channel.key)
    const body = new URLSearchParams({
      grant_type: GRANT,
      assertion: await assertion(account, Math.floor(now() / 1000)),
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' }
    const answer = await requestJson(new URL(account.tokenUrl), {
      method: 'POST',
      headers,
      bytes: Buffer.from(body.toString()),
    })
    const token = textIn(answer.access_token)
    if (!token) throw new Error('the provider returned no access token')
    return { token, seconds: numberIn(answer.expires_in) ?? HOUR }
  })
}

/** Returns a signed assertion of the account's identity, valid for an hour; `now` is in Unix seconds. */
function assertion({ email, privateKey, keyId, tokenUrl }: ServiceAccount, now: number): Promise<string> {
  const claim = new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(keyId ? { kid: keyId } : {}) })
    .setIssuer(email)
    .setAudience(tokenUrl)
    .setIssuedAt(now)
    .setExpirationTime(now + HOUR)
  return claim.sign(createPrivateKey(privateKey))
}
