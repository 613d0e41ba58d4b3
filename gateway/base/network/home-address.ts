import { addressIn, networks } from './ip-address.ts'
import { metadataHost } from './metadata-address.ts'

/** This machine, private networks (RFC 1918, RFC 4193) and IPv6 link-local addresses. */
const isHome = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/**
 * Returns whether an IP address belongs to this machine or a private network, and is not that of a metadata service
 * (docs/reference/local-models.md#addresses).
 */
export function isHomeAddress(ip: string): boolean {
  const address = addressIn(ip)
  return address !== undefined && isHome(address) && !metadataHost(ip)
}

/**
 * Returns whether a host as written can only be this machine or a private network: a private address, or a name that no
 * public resolver knows, because it ends in a reserved word or has no dot. Top-level domains have no dot either, and
 * some country codes resolve (`ai`), so two-letter names and `xn--` names are excluded; other top-level domains must
 * not resolve. Numbers, even hexadecimal ones, are excluded too: they are spellings of IPv4 addresses.
 */
export function isHomeHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (bare === '' || metadataHost(bare)) return false
  if (addressIn(bare)) return isHomeAddress(bare)
  if (/^[a-z0-9_-]+$/.test(bare)) return /[a-z]/.test(bare) && !/^([a-z]{2}|xn--.*|0x[0-9a-f]*)$/.test(bare)
  return /\.(localhost|local|lan|internal|home\.arpa)$/.test(bare)
}
