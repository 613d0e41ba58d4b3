import { LRUCache } from 'lru-cache'
import { getProxyForUrl } from 'proxy-from-env'
import { isPublicAddress } from './address-guard.ts'
import { isProxyUrl } from './http-client.ts'
import { addressIn } from './ip-address.ts'
import { upTo } from './lru.ts'
import { metadataHost } from './metadata-address.ts'

/**
 * The proxy that the system wants for an origin, as the URL of one; empty for none. A desktop asks its system, which may take
 * a moment; a server has it in its environment.
 */
export type SystemProxy = (origin: string) => string | Promise<string>

/** For a system that wants none. */
export const noSystemProxy: SystemProxy = () => ''

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const

/** The first variable that names no proxy, as a sentence; undefined where all do. */
export function wrongProxyVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = variables.flatMap((name) => [name.toLowerCase(), name])
  const wrong = names.find((name) => environment[name] && !isProxyUrl(environment[name]))
  return wrong && `${wrong}: must be the address of a proxy, such as http://proxy.example:3128`
}

/** Origins that requests go to all the time. */
const MAX_ORIGINS = 1000

/** The proxy that `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in either case, name when an origin is first asked for. */
export function createEnvironmentProxy(): SystemProxy {
  const known = new LRUCache<string, string>(upTo(MAX_ORIGINS))
  return (origin) => {
    const cached = known.get(origin)
    if (cached !== undefined) return cached
    const proxy = isReachedDirectly(origin) ? '' : getProxyForUrl(origin)
    known.set(origin, proxy)
    return proxy
  }
}

/**
 * This machine and addresses of the own network, given by number, are never asked for over a proxy, whatever it is set to:
 * local models are there. Addresses of metadata services go the direct way too, on which they are refused.
 */
export function isReachedDirectly(origin: string): boolean {
  const hostname = URL.parse(origin)?.hostname.replace(/\.$/, '') ?? ''
  if (hostname === '' || /(^|\.)localhost$/i.test(hostname) || metadataHost(hostname)) return true
  const ip = hostname.replace(/^\[|\]$/g, '')
  return addressIn(ip) !== undefined && !isPublicAddress(ip)
}
