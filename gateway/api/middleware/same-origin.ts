import type { Context } from 'koa'

/**
 * Whether a browser would call this same-origin: `Origin` is the Host asked for or the configured server address, and
 * `Sec-Fetch-Site` says neither cross-site nor same-site. Programs send neither header and pass; they have no cookies
 * of a person to abuse (docs/reference/security.md#same-origin-calls).
 */
export function isSameOrigin(ctx: Context, serverAddress: string): boolean {
  const site = ctx.get('sec-fetch-site')
  if (site !== '' && site !== 'same-origin' && site !== 'none') return false
  const { origin, host = '' } = ctx.req.headers
  return isOwnOrigin(origin, host, serverAddress)
}

/**
 * Whether a GET that does something was meant: it has the user-id header (-1 for nobody), which programs and this origin's own
 * pages send and no page of another site can. Over plain http browsers tell nothing else of where a GET comes from
 * (docs/reference/api.md#same-origin).
 */
export const isMeant = (ctx: Context): boolean => claimedId(ctx) !== undefined

/** The value of the user-id header, which has two accepted names. */
export const claimedId = (ctx: Context): string | undefined =>
  ctx.get('new-api-user') || ctx.get('user-id') || undefined

/** Whether pages of this origin are the gateway's own; programs name none. */
export function isOwnOrigin(origin: string | undefined, host: string, serverAddress: string): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const claimed = new URL(origin)
  return claimed.host === host.toLowerCase() || isOriginOf(claimed, serverAddress)
}

/** A proxy may rewrite Host; what the operator has set as the server address is then the site's name. */
const isOriginOf = (claimed: URL, address: string): boolean =>
  URL.canParse(address) && new URL(address).origin === claimed.origin
