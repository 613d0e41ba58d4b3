import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A parsed address; IPv4-mapped IPv6 (`::ffff:a.b.c.d`) becomes IPv4. */
type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

type IpNetwork = readonly [address: IpAddress, bits: number]

/**
 * Parses an address in its usual spelling, ignoring brackets and a zone id; returns undefined for anything else.
 * Rejects decimal, octal, hexadecimal and short IPv4; an address that is not parsed here is never allowed.
 */
export function addressIn(text: string): IpAddress | undefined {
  const bare = text
    .trim()
    .replace(/^\[|\]$/g, '')
    .replace(/%.*/s, '')
  const family = isIP(bare)
  if (family === 4) return ipaddr.IPv4.parse(bare)
  if (family === 0) return undefined
  // A form with dots is normalized to the URL standard's, because ipaddr.js mistakes `::1.2.3.4` for `::ffff:1.2.3.4`.
  const address = ipaddr.IPv6.parse(bare.includes('.') ? new URL(`http://[${bare}]`).hostname.slice(1, -1) : bare)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** Parses a single address or a CIDR range; returns undefined if it is neither. */
export function networkIn(line: string): IpNetwork | undefined {
  const [text = '', bits, ...rest] = line.trim().split('/')
  const address = addressIn(text)
  if (!address || rest.length > 0) return undefined
  const whole = address.kind() === 'ipv4' ? 32 : 128
  if (bits === undefined) return [address, whole]
  const shift = whole === 32 && text.includes(':') ? 96 : 0
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) - shift : -1
  return prefix >= 0 && prefix <= whole ? [address, prefix] : undefined
}

/** Whether a text is an IPv4 or IPv6 address or CIDR range, without a zone. */
export const isAddressRange = (text: string): boolean => !text.includes('%') && networkIn(text) !== undefined

/** Max addresses and ranges of a token's allow list, which is compiled whenever its key is read from the database. */
export const MAX_ADDRESSES = 100

export type Networks = (address: IpAddress) => boolean

/** Compiles single addresses and CIDR ranges; an invalid line matches nothing. */
export function networks(lines: readonly string[]): Networks {
  const all = lines.map(networkIn).filter((network) => network !== undefined)
  return (address) => all.some(([start, bits]) => start.kind() === address.kind() && address.match(start, bits))
}

/** The canonical spelling of an address; IPv6 in its short form. */
export const spelled = (address: IpAddress): string =>
  address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString()

/** The /64 network of an IPv6 address, which a single customer owns; an IPv4 address unchanged. */
export const customerOf = (address: IpAddress): string =>
  address instanceof ipaddr.IPv6
    ? address.parts
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address.toString()

/**
 * The IPv4 address inside an IPv6 address: NAT64 (RFC 6052), 6to4 (RFC 3056) or IPv4-compatible (RFC 4291 §2.5.5.1).
 */
export function carriedIpv4(address: IpAddress): ipaddr.IPv4 | undefined {
  if (!(address instanceof ipaddr.IPv6)) return undefined
  const bytes = address.toByteArray()
  if (isSixToFour(address)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return isNat64(address) || isCompatible(address) ? new ipaddr.IPv4(bytes.slice(12)) : undefined
}

/** Matches NAT64's well-known prefix, which leads to the IPv4 address inside. */
export const isNat64 = networks(['64:ff9b::/96'])
const isSixToFour = networks(['2002::/16'])
const isCompatible = networks(['::/96'])
