import { useStatus } from './status.ts'

/**
 * Where clients find the gateway: what the operator says, unless that is this machine and the console is open elsewhere, or
 * at another port of it: what was said once is not where the gateway is by now.
 */
export function useAddress(): string {
  const { server_address: configured } = useStatus()
  const { origin, hostname, port } = window.location
  const said = URL.parse(configured)
  const isConfigured = said !== null && (!isNearby(said.hostname) || (isNearby(hostname) && said.port === port))
  return (isConfigured ? configured : origin).replace(/\/+$/, '')
}

const isNearby = (hostname: string): boolean => /^(localhost|127\.|\[::1\])/.test(hostname)
