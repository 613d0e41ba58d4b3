import { isIP } from 'node:net'
import { addressIn, customerOf, networks, spelled } from '../base/network/ip-address.ts'

export type Ranges = (address: string) => boolean

/**
 * Normalizes an address: IPv4-mapped IPv6 becomes IPv4, zone ids are dropped, IPv6 is shortened. Empty for anything
 * else.
 */
export function normalAddress(text: string): string {
  if (isIP(text) === 4) return text
  const address = addressIn(text)
  return address ? spelled(address) : ''
}

/** Compiles addresses and CIDR ranges; an invalid line matches nothing. */
export function ranges(lines: readonly string[]): Ranges {
  const isInside = networks(lines)
  return (text) => {
    const address = addressIn(text)
    return address !== undefined && isInside(address)
  }
}

/** Compiles a token's allow list, one address or range per line; an empty list allows every address. */
export function addressList(text: string): Ranges {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? () => true : ranges(lines)
}

/** Whether an address matches one of the lines; for repeated checks, compile them with `ranges`. */
export const inRanges = (address: string, lines: readonly string[]): boolean => ranges(lines)(address)

export const isLoopback: Ranges = ranges(['127.0.0.0/8', '::1'])

/**
 * Returns the client's address: the peer, unless it is a trusted proxy; then the right-most untrusted hop of
 * X-Forwarded-For (docs/reference/security.md#forwarded-addresses). Hops to the left of it are the client's own claim.
 * Calls `onUnreadable` if a trusted proxy sent an invalid address.
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: Ranges,
  onUnreadable?: (hop: string, proxy: string) => void,
): string {
  let address = normalAddress(peer)
  const hops = forwardedFor?.split(',') ?? []
  while (isTrusted(address) && hops.length > 0) {
    const text = hops.pop() ?? ''
    const hop = normalAddress(text) || normalAddress(withoutPort(text))
    if (hop === '') {
      onUnreadable?.(text.trim(), address)
      break
    }
    address = hop
  }
  return address
}

/**
 * Strips the port some proxies add: `a.b.c.d:port`, `[v6]:port`. Empty for anything else, including IPv6 without
 * brackets.
 */
const withoutPort = (hop: string): string =>
  /^\s*(?:([\d.]+)|\[([^[\]]+)\]):\d{1,5}\s*$/.exec(hop)?.slice(1).find(Boolean) ?? ''

/**
 * The key by which limits are counted: an IPv4 address, or the /64 network of an IPv6 address, which belongs to a
 * single customer.
 */
export function networkOf(text: string): string {
  if (isIP(text) === 4) return text
  const address = addressIn(text)
  return address ? customerOf(address) : text
}
