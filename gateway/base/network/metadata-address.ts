import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { addressIn, carriedIpv4, networks } from './ip-address.ts'

/** Addresses of cloud metadata services: link-local IPv4 as a whole, otherwise single hosts. */
const isMetadata = networks([
  '169.254.0.0/16',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
  'fe80::a9fe:a9fe',
])
const names = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])

/**
 * Returns whether an IP address is a cloud metadata service, even if written inside IPv6 (mapped, compatible, NAT64,
 * 6to4). The gateway never connects to such an address (docs/reference/security.md#outgoing-calls); other private
 * addresses may be allowed.
 */
export function metadataAddress(ip: string): boolean {
  const address = addressIn(ip)
  if (!address) return false
  const carried = carriedIpv4(address)
  return isMetadata(address) || (carried !== undefined && isMetadata(carried))
}

/** Returns whether the host of a parsed URL is a metadata service as written, without resolving it. */
export const metadataHost = (hostname: string): boolean =>
  metadataAddress(hostname) || names.has(hostname.toLowerCase().replace(/\.$/, ''))

export class MetadataAddressRefused extends Error {
  override readonly name = 'MetadataAddressRefused'
}

/** A resolver for `net.connect` that rejects a name if any of its addresses is a metadata service. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, [])
    const refused = addresses.find(({ address }) => metadataAddress(address))
    const [first] = addresses
    if (refused || !first)
      return callback(new MetadataAddressRefused(`${hostname} has no address that may be used`), [])
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}
