/** Wildcard addresses listen on every interface; the values are the addresses to connect to. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export const isEverywhere = (host: string): boolean => Object.hasOwn(loopbackOf, host)

/** Returns the URL for opening a listener from this machine: loopback if it listens on every interface. */
export const nearUrl = (host: string, port: number): string => urlAt(loopbackOf[host] ?? host, port)

/**
 * Returns the origin of a host. IPv6 is in brackets and without its zone, which browsers do not support; a default port
 * is left out.
 */
export function urlAt(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const [bare = ''] = host.split('%', 1)
  return new URL(`${scheme}://${bare.includes(':') ? `[${bare}]` : bare}:${port}`).origin
}
