import { getProxyForUrl } from 'proxy-from-env'
import { isPublicAddress } from './address-guard.ts'
import { isProxyUrl } from './http-client.ts'
import { addressIn } from './ip-address.ts'
import { metadataHost } from './metadata-address.ts'

/**
 * Returns the URL of the system's proxy for an origin, or an empty string if there is none. A desktop queries the
 * operating system, which may take a moment; a server reads its environment.
 */
export type SystemProxy = (origin: string) => string | Promise<string>

export const noSystemProxy: SystemProxy = () => ''

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const

/** Returns a sentence about the first variable that is not a proxy URL, or undefined if all are valid. */
export function wrongProxyVariable(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const names = variables.flatMap((name) => [name.toLowerCase(), name])
  const wrong = names.find((name) => environment[name] && !isProxyUrl(environment[name]))
  return wrong && `${wrong}: must be the address of a proxy, such as http://proxy.example:3128`
}

/** Uses `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` of this process, in upper or lower case. */
export const environmentProxy: SystemProxy = (origin) => (isReachedDirectly(origin) ? '' : getProxyForUrl(origin))

/**
 * Returns whether an origin bypasses every configured proxy: this machine and private IP addresses, where local models
 * run. Metadata addresses also bypass it, so that the direct connection rejects them.
 */
export function isReachedDirectly(origin: string): boolean {
  const hostname = URL.parse(origin)?.hostname.replace(/\.$/, '') ?? ''
  if (hostname === '' || /(^|\.)localhost$/i.test(hostname) || metadataHost(hostname)) return true
  const ip = hostname.replace(/^\[|\]$/g, '')
  return addressIn(ip) !== undefined && !isPublicAddress(ip)
}
