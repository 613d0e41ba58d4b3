/** Listening on these means every interface; nobody calls a gateway by them. */
const everywhere: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether a host to listen on means every interface. */
export const isEverywhere = (host: string): boolean => Object.hasOwn(everywhere, host)

/** The address at which this machine opens what listens there: loopback, where that is every interface. */
export const nearUrl = (host: string, port: number): string => urlAt(everywhere[host] ?? host, port)

/** An address of a host: IPv6 in brackets and without its zone, which browsers do not know; a standard port is left out. */
export function urlAt(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  const [bare = ''] = host.split('%', 1)
  return new URL(`${scheme}://${bare.includes(':') ? `[${bare}]` : bare}:${port}`).origin
}
