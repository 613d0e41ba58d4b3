import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** IPv4 networks in which cloud machines find their own credentials; link-local as a whole, the rest as single hosts. */
const networks = [
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
] as const
const networks6 = [
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['fe80::a9fe:a9fe', 128],
] as const
const names = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
])
const blocked = blockList()

/**
 * Whether an IP address is one of a cloud's metadata services, also when it is written inside IPv6 (mapped, compatible,
 * NAT64, 6to4). Such an address is never dialled (spec/console.md §11 S18); other private addresses may be.
 */
export function metadataAddress(ip: string): boolean {
  const bare = ip.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const family = isIP(bare)
  return family !== 0 && blocked.check(bare, family === 6 ? 'ipv6' : 'ipv4')
}

/** Whether the host of a parsed URL is a metadata service by its very spelling. */
export const metadataHost = (hostname: string): boolean =>
  metadataAddress(hostname) || names.has(hostname.toLowerCase().replace(/\.$/, ''))

/** Thrown instead of connecting to a metadata service. */
export class MetadataAddressRefused extends Error {
  override readonly name = 'MetadataAddressRefused'
}

/** A resolver for `net.connect` that refuses a name when any of its addresses is a metadata service. */
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

function blockList(): BlockList {
  const list = new BlockList()
  for (const [address, prefix] of networks) {
    list.addSubnet(address, prefix, 'ipv4')
    for (const wrap of ['64:ff9b::', '::']) list.addSubnet(`${wrap}${address}`, 96 + prefix, 'ipv6')
    list.addSubnet(`2002:${hextets(address)}::`, 16 + prefix, 'ipv6')
  }
  for (const [address, prefix] of networks6) list.addSubnet(address, prefix, 'ipv6')
  return list
}

function hextets(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map((part) => part.toString(16)).join(':')
}
