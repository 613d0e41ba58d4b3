import { Resolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Resolve } from './address-guard.ts'

/** Overrides the machine's sources for name lookups. */
type NameSources = Readonly<{
  /** Name servers, in the format of `dns.setServers`. */
  servers?: readonly string[]
  hostsFile?: string
  /** Timeout of the servers, in milliseconds. */
  withinMs?: number
}>

const WITHIN_MS = 5000
const TRIES = { timeout: 2000, tries: 2 }
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Resolves names that users enter (docs/reference/security.md#outgoing-calls): from the machine's hosts file, otherwise
 * with its own queries to the machine's name servers, for at most 5 s. Never uses `getaddrinfo`, which operators' names
 * need: its thread pool is small, and a name with an unresponsive server would occupy a thread. Rejects with the error
 * of the servers.
 */
export function createNameLookup({ servers, hostsFile = systemHosts(), withinMs }: NameSources = {}): Resolve {
  const hosts = createHosts(hostsFile)
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const listed = await hosts(name)
    if (listed.length > 0) return listed
    // These names always mean this machine (RFC 6761 §6.3).
    if (/(^|\.)localhost$/.test(name)) return LOOPBACK
    return queryServers(hostname, servers, withinMs ?? WITHIN_MS)
  }
}

type Addresses = Awaited<ReturnType<Resolve>>

/** Creates a resolver per name, which uses the current servers and can be cancelled separately. */
async function queryServers(name: string, servers: NameSources['servers'], withinMs: number): Promise<Addresses> {
  const resolver = new Resolver(TRIES)
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), withinMs)
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') throw ipv4.reason
  return [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ]
}

/** Reads the hosts file again when it changes. */
function createHosts(path: string): (name: string) => Promise<Addresses> {
  let known = { version: '', names: namesIn('') }
  return async (name) => {
    const version = await stat(path).then(
      ({ mtimeMs, size }) => `${mtimeMs} ${size}`,
      () => '',
    )
    if (known.version !== version) known = { version, names: namesIn(await readFile(path, 'utf8').catch(() => '')) }
    return known.names.get(name) ?? []
  }
}

function namesIn(text: string): ReadonlyMap<string, Addresses> {
  const names = new Map<string, Addresses>()
  for (const line of text.split('\n')) {
    const [address = '', ...rest] = line.replace(/#.*/, '').trim().split(/\s+/)
    const family = isIP(address)
    if (family === 0) continue
    for (const name of rest.map((one) => one.toLowerCase()))
      names.set(name, [...(names.get(name) ?? []), { address, family }])
  }
  return names
}

const systemHosts = (): string =>
  process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'
