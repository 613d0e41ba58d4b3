import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { addressIn, carriedIpv4, isNat64, networks } from './ip-address.ts'
import { metadataAddress, metadataHost } from './metadata-address.ts'

/** Returns whether connecting to an IP address (never a name) and port is allowed. */
export type AddressRule = (address: string, port: number) => boolean

export type Resolve = (hostname: string) => Promise<readonly Readonly<{ address: string; family: number }>[]>

/** Thrown instead of connecting to a forbidden address. Names the host as written, but no address. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

/** Networks outside the public internet (IANA's special-purpose registries), multicast, and Azure's own host. */
const isSpecial = networks([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // IETF protocols including Teredo, documentation, 6to4, documentation.
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
])
/** All of IPv4, and the only global unicast range of IPv6. */
const isUnicast = networks(['0.0.0.0/0', '2000::/3'])
const publicPorts = new Set([80, 443, 8080, 8443])

/**
 * Returns whether an IP address is public unicast. IPv4 inside IPv6 (mapped, NAT64) counts as IPv4; 6to4, Teredo and
 * other special forms are not public.
 */
export function isPublicAddress(ip: string): boolean {
  const written = addressIn(ip)
  const address = written && isNat64(written) ? carriedIpv4(written) : written
  return address !== undefined && isUnicast(address) && !isSpecial(address)
}

/**
 * Allows public addresses on ports 80, 443, 8080 and 8443 (docs/reference/limits.md#files-named-by-url), and those that
 * `isAllowed` adds. Never allows cloud metadata services.
 */
export const addressRule =
  (isAllowed: AddressRule = () => false): AddressRule =>
  (address, port) =>
    !metadataAddress(address) && (isAllowed(address, port) || (publicPorts.has(port) && isPublicAddress(address)))

/** Uses the machine's resolver, for names that operators set; names that users enter need `createNameLookup`. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true, order: 'verbatim' })

/**
 * A connector for undici that connects only where the rule allows. It checks the same lookup that the socket uses, so a
 * second result cannot differ; one forbidden address rejects the name.
 */
export function publicConnector(rule: AddressRule, resolve: Resolve, connectTimeoutMs: number): Connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
    if (isRefusedAsWritten(options.hostname, port, rule)) return callback(refusal(options.hostname), null)
    const connect = buildConnector({
      timeout: connectTimeoutMs,
      lookup: guardedLookup(rule, resolve, port),
      allowH2: false,
      maxCachedSessions: 0,
    })
    connect(options, callback)
  }
}

/** Returns whether a URL is refused as written; for callers whose proxy resolves and connects. */
export const isRefusedUrl = (url: URL, rule: AddressRule): boolean =>
  isPrivateUrl(url, rule) || (isIP(bareHost(url.hostname)) === 0 && !publicPorts.has(portOf(url)))

/** Returns whether a URL as written names this machine, a forbidden IP address, or a metadata service. */
export const isPrivateUrl = (url: URL, rule: AddressRule): boolean =>
  /(^|\.)localhost\.?$/i.test(url.hostname) || isRefusedAsWritten(url.hostname, portOf(url), rule)

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

function isRefusedAsWritten(hostname: string, port: number, rule: AddressRule): boolean {
  const host = bareHost(hostname)
  return metadataHost(host) || (isIP(host) !== 0 && !rule(host, port))
}

const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')

const refusal = (hostname: string) => new AddressRefused(`${hostname} may not be used`)

const guardedLookup =
  (rule: AddressRule, resolve: Resolve, port: number): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses
        if (!first || !addresses.every(({ address }) => rule(address, port))) return callback(refusal(hostname), [])
        if (options.all) return callback(null, [...addresses])
        return callback(null, first.address, first.family)
      },
      (error) => callback(error, []),
    )
  }

export type Connector = buildConnector.connector
