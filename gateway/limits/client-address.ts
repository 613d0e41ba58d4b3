import { isIP } from 'node:net'
import { addressIn, customerOf, networks, spelled } from '../base/ip-address.ts'

/** Whether an address lies in a set of ranges. */
export type Ranges = (address: string) => boolean

/**
 * One spelling for each address: IPv4 carried in IPv6 becomes IPv4, zone ids go, IPv6 is written in its short form.
 * Empty for what is not an address.
 */
export function normalAddress(text: string): string {
  if (isIP(text) === 4) return text
  const address = addressIn(text)
  return address ? spelled(address) : ''
}

/** Compiles single addresses and CIDR ranges; a line that is neither matches nothing. */
export function ranges(lines: readonly string[]): Ranges {
  const isInside = networks(lines)
  return (text) => {
    const address = addressIn(text)
    return address !== undefined && isInside(address)
  }
}

/** What a token's list of addresses allows, one address or range a line; an empty list allows every address. */
export function addressList(text: string): Ranges {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length === 0 ? () => true : ranges(lines)
}

/** Whether an address is one of these lines or lies in one of their ranges; compile with `ranges` where it is asked often. */
export const inRanges = (address: string, lines: readonly string[]): boolean => ranges(lines)(address)

/** Whether an address is this machine's own loopback. */
export const isLoopback: Ranges = ranges(['127.0.0.0/8', '::1'])

/**
 * The client behind a connection: the peer itself, unless it is a trusted proxy; then the right-most hop of
 * X-Forwarded-For that is not one (docs/reference/security.md#forwarded-addresses). What stands left of it is the
 * client's own claim. `onUnreadable` is called with what a trusted proxy has sent in place of an address.
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

/** Some proxies add the port: `a.b.c.d:port`, `[v6]:port`. IPv6 without brackets has none. Empty for everything else. */
const withoutPort = (hop: string): string =>
  /^\s*(?:([\d.]+)|\[([^[\]]+)\]):\d{1,5}\s*$/.exec(hop)?.slice(1).find(Boolean) ?? ''

/** What limits count by: an IPv4 address, or the /64 network of an IPv6 one, which a single customer owns whole. */
export function networkOf(text: string): string {
  if (isIP(text) === 4) return text
  const address = addressIn(text)
  return address ? customerOf(address) : text
}
