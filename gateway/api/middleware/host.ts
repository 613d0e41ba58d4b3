import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import { isEverywhere } from '../../base/network/own-urls.ts'
import { isLoopback, normalAddress } from '../../limits/client-address.ts'

type Bound = Readonly<{ address: string; port: number }>

export interface HostGuard {
  /** Whether a Host header names this gateway; all others get 421, on every path. */
  isKnown(host: string | undefined): boolean
  /** Whether a Host header would be known if ServerAddress were `serverAddress`, which is empty for none. */
  wouldKnow(host: string, serverAddress: string): boolean
  /** Rebuilds the list now, without waiting for the next request. */
  refresh(): void
}

type HostGuardDeps = Readonly<{
  /** Undefined until the gateway listens; the same object as long as the address and port do not change. */
  bound: () => Bound | undefined
  serverAddress: () => string
  /** The CustomCallbackAddress setting, used by payment providers. */
  callbackAddress?: () => string
  /** ALLOWED_HOSTS: names with a port, or without one; the latter are accepted with any port. */
  allowed: readonly string[]
  clock: Clock
  ownAddresses?: () => readonly string[]
}>

const RESCAN_MS = 5000

/**
 * The Host allow-list against DNS rebinding (docs/reference/security.md#host-names): the bound address, `localhost` and
 * loopback with the bound port, this machine's addresses if it listens beyond loopback, the server address, the
 * callback address and ALLOWED_HOSTS. One or two set lookups per request. A change of the bound address, its port or
 * the server address applies immediately; an unknown Host triggers a scan for new network addresses, at most once per
 * RESCAN_MS.
 */
export function createHostGuard(deps: HostGuardDeps): HostGuard {
  const { clock, bound, serverAddress } = deps
  const allowed = new Set(deps.allowed.map(written))
  let known = new Set<string>()
  let from: { bound: Bound | undefined; address: string } | undefined
  let lookedAt = Number.NEGATIVE_INFINITY
  const refresh = () => {
    known = hostsOf(deps)
    from = { bound: bound(), address: serverAddress() }
    lookedAt = clock.monotonic()
  }
  const isKnown = (host: string | undefined) => {
    if (host === undefined) return false
    if (from?.bound !== bound() || from?.address !== serverAddress()) refresh()
    const name = host.toLowerCase()
    if (known.has(name) || allowed.has(name.replace(PORT, ''))) return true
    if (clock.monotonic() - lookedAt < RESCAN_MS) return false
    refresh()
    return known.has(name)
  }
  return {
    isKnown,
    wouldKnow(host, address) {
      const name = host.toLowerCase()
      return allowed.has(name.replace(PORT, '')) || hostsOf({ ...deps, serverAddress: () => address }).has(name)
    },
    refresh,
  }
}

function hostsOf(deps: HostGuardDeps): Set<string> {
  const { bound, serverAddress, callbackAddress = () => '', allowed, ownAddresses = machineAddresses } = deps
  const at = bound()
  const hosts = new Set(allowed.map(written))
  if (at) {
    const own = ['localhost', '127.0.0.1', '::1', at.address, ...(isNear(at.address) ? [] : ownAddresses())]
    for (const name of own) if (!isEverywhere(name)) hosts.add(withPort(name, at.port))
    // Browsers omit the default port.
    if (at.port === 80) for (const name of own) if (!isEverywhere(name)) hosts.add(written(name))
  }
  for (const address of [serverAddress(), callbackAddress()])
    if (URL.canParse(address)) hosts.add(new URL(address).host)
  return hosts
}

const isNear = (address: string): boolean => address === 'localhost' || isLoopback(address)

/** A name as written in a Host header. */
const written = (name: string): string => (isIP(name) === 6 ? `[${normalAddress(name)}]` : name.toLowerCase())

const withPort = (name: string, port: number): string => `${written(name)}:${port}`

/** At the end of a Host header. */
const PORT = /:\d+$/

const machineAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((entries) => entries?.map(({ address }) => normalAddress(address)) ?? [])
