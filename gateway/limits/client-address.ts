import { BlockList, isIP } from 'node:net'

/** Whether an address lies in a set of ranges. */
export type Ranges = (address: string) => boolean

/**
 * One spelling for each address: IPv4 carried in IPv6 becomes IPv4, zone ids go, IPv6 is written in its short form.
 * Empty for what is not an address.
 */
export function normalAddress(text: string): string {
  const address = text.trim().replace(/%.*$/, '')
  if (isIP(address) === 4) return address
  if (isIP(address) !== 6) return ''
  const mapped = mappedIpv4(groupsOf(address))
  return mapped ?? new URL(`http://[${address}]`).hostname.slice(1, -1)
}

/** Compiles single addresses and CIDR ranges; a line that is neither matches nothing. */
export function ranges(lines: readonly string[]): Ranges {
  const list = new BlockList()
  for (const line of lines) addRange(list, line)
  return (address) => {
    const normal = normalAddress(address)
    return normal !== '' && list.check(normal, isIP(normal) === 4 ? 'ipv4' : 'ipv6')
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
 * X-Forwarded-For that is not one (design/reliability-security.md §4.1). What stands left of it is the client's own claim.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, isTrusted: Ranges): string {
  let address = normalAddress(peer)
  const hops = forwardedFor?.split(',') ?? []
  while (isTrusted(address) && hops.length > 0) {
    const hop = normalAddress(hops.pop() ?? '')
    if (hop === '') break
    address = hop
  }
  return address
}

/** What limits count by: an IPv4 address, or the /64 network of an IPv6 one, which a single customer owns whole. */
export const networkOf = (address: string): string =>
  isIP(address) === 6
    ? groupsOf(address)
        .slice(0, 4)
        .map((group) => group.toString(16))
        .join(':')
    : address

function addRange(list: BlockList, line: string): void {
  const [text = '', bits, ...rest] = line.trim().split('/')
  const address = normalAddress(text)
  if (address === '' || rest.length > 0) return
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (bits === undefined) {
    list.addAddress(address, family)
    return
  }
  const shift = isIP(text) === 6 && family === 'ipv4' ? 96 : 0
  const prefix = /^\d{1,3}$/.test(bits) ? Number(bits) - shift : -1
  if (prefix >= 0 && prefix <= (family === 'ipv4' ? 32 : 128)) list.addSubnet(address, prefix, family)
}

/** The eight 16-bit groups of an IPv6 address, `::` and a dotted tail written out. */
function groupsOf(address: string): number[] {
  const plain = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a: string, b: string, c: string, d: string) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  )
  const [head = '', tail] = plain.split('::')
  const left = parse(head)
  const right = parse(tail ?? '')
  return [...left, ...new Array<number>(Math.max(8 - left.length - right.length, 0)).fill(0), ...right]
}

function parse(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
}

function mappedIpv4(groups: number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : undefined
}
