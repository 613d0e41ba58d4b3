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
