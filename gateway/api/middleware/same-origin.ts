import type { Context } from 'koa'
import { parsedAddress } from '../../base/network/web-address.ts'

/**
 * Whether a browser would call this same-origin: `Origin` is the requested Host or the configured server address, and
 * `Sec-Fetch-Site` is neither cross-site nor same-site. Programs send neither header and pass; they have no user's
 * cookies to abuse (docs/reference/security.md#same-origin-calls).
 */
export function isSameOrigin(ctx: Context, serverAddress: string): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false
  const { origin, host = '' } = ctx.req.headers
  return isOwnOrigin(origin, host, serverAddress)
}

/**
 * Whether a GET with side effects is intended: it has the user-id header (-1 for visitors), which programs and pages of
 * this origin send and pages of other sites cannot. Over plain HTTP, browsers report nothing else about the origin of a
 * GET (docs/reference/api.md#same-origin).
 */
export const isMeant = (ctx: Context): boolean => claimedId(ctx) !== undefined

/** The value of the user-id header, which has two accepted names. */
export const claimedId = (ctx: Context): string | undefined =>
  ctx.get('new-api-user') || ctx.get('user-id') || undefined

/** Whether a page of this origin is the gateway's own; programs send no origin. */
export function isOwnOrigin(origin: string | undefined, host: string, serverAddress: string): boolean {
  if (origin === undefined) return true
  const claimed = parsedAddress(origin)
  if (!claimed) return false
  return claimed.host === host.toLowerCase() || isOriginOf(claimed, serverAddress)
}

/** A proxy may rewrite Host; the configured server address is then the site's name. */
const isOriginOf = (claimed: URL, address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === claimed.origin
