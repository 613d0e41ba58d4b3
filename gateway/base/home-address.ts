import { addressIn, networks } from './ip-address.ts'
import { metadataHost } from './metadata-address.ts'

/** This machine, private networks (RFC 1918, RFC 4193) and addresses of one link; never a metadata service. */
const isHome = networks([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
])

/** Whether an IP address belongs to this machine or a private network (docs/reference/local-models.md#addresses). */
export function isHomeAddress(ip: string): boolean {
  const address = addressIn(ip)
  return address !== undefined && isHome(address) && !metadataHost(ip)
}

/**
 * Whether a host, as it stands in an address, can only be this machine or a private network: an address of one, or a name
 * that no public resolver knows, which ends in one of the reserved words or has no dot. Names of countries have none either,
 * and some of them lead somewhere (`ai`): they are two letters, or begin with `xn--`; all other top-level names may lead nowhere.
 */
export function isHomeHost(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[|\]$|\.$/g, '')
  if (bare === '' || metadataHost(bare)) return false
  if (addressIn(bare)) return isHomeAddress(bare)
  if (/^[a-z0-9_-]+$/.test(bare)) return /[a-z]/.test(bare) && !/^([a-z]{2}|xn--.*|0x[0-9a-f]*)$/.test(bare)
  return /\.(localhost|local|lan|internal|home\.arpa)$/.test(bare)
}
