import { Resolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Resolve } from './address-guard.ts'

/** Where names are looked up, in place of where this machine is set to do it. */
type NameSources = Readonly<{
  /** Name servers, as `dns.setServers` takes them. */
  servers?: readonly string[]
  hostsFile?: string
  /** For the servers, in milliseconds. */
  withinMs?: number
}>

const WITHIN_MS = 5000
const TRIES = { timeout: 2000, tries: 2 }
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Looks up names that people name (docs/reference/security.md#outgoing-calls): in the machine's hosts file, else by
 * questions of its own to the machine's name servers, given up after 5 s. Never by `getaddrinfo`, which names of operators
 * need: it has few threads for all, and a name whose server is silent would hold one of them. Rejects with the error of
 * the servers.
 */
export function createNameLookup({ servers, hostsFile = systemHosts(), withinMs }: NameSources = {}): Resolve {
  const hosts = createHosts(hostsFile)
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const written = await hosts(name)
    if (written.length > 0) return written
    // By their very name on this machine (RFC 6761 §6.3).
    if (/(^|\.)localhost$/.test(name)) return LOOPBACK
    return askServers(hostname, servers, withinMs ?? WITHIN_MS)
  }
}

type Addresses = Awaited<ReturnType<Resolve>>

/** A resolver for each name: it knows the servers of this moment, and giving up ends its questions only. */
async function askServers(name: string, servers: NameSources['servers'], withinMs: number): Promise<Addresses> {
  const resolver = new Resolver(TRIES)
  if (servers) resolver.setServers(servers)
  const timer = setTimeout(() => resolver.cancel(), withinMs)
  const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ]
}

/** The addresses that a hosts file has for a name; read again once it has changed. */
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
