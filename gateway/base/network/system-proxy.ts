import { LRUCache } from 'lru-cache'
import { getProxyForUrl } from 'proxy-from-env'
import { upTo } from '../lru.ts'
import { isPublicAddress } from './address-guard.ts'
import type { SystemProxy } from './http-client.ts'
import { isProxyUrl } from './http-client.ts'
import { addressIn } from './ip-address.ts'
import { metadataHost } from './metadata-address.ts'

export const noSystemProxy: SystemProxy = () => ''

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const

/** Returns a sentence about the first variable that is not a proxy URL, or undefined if all are valid. */
export function wrongProxyVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = variables.flatMap((name) => [name.toLowerCase(), name])
  const wrong = names.find((name) => environment[name] && !isProxyUrl(environment[name]))
  return wrong && `${wrong}: must be the address of a proxy, such as http://proxy.example:3128`
}

const MAX_ORIGINS = 1000

/**
 * Uses `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY`, in upper or lower case, with the values they have when
 * an origin is first looked up.
 */
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
 * Returns whether an origin bypasses every configured proxy: this machine and private IP addresses, where local models
 * run. Metadata addresses bypass proxies too, so that the direct connection rejects them.
 */
export function isReachedDirectly(origin: string): boolean {
  const hostname = URL.parse(origin)?.hostname.replace(/\.$/, '') ?? ''
  if (hostname === '' || /(^|\.)localhost$/i.test(hostname) || metadataHost(hostname)) return true
  const ip = hostname.replace(/^\[|\]$/g, '')
  return addressIn(ip) !== undefined && !isPublicAddress(ip)
}
