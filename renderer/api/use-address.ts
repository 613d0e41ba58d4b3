import { useStatus } from './status.ts'

/** Where clients find the gateway: what the operator says, unless that is this machine and the console is open elsewhere. */
export function useAddress(): string {
  const { server_address: configured } = useStatus()
  const { origin, hostname } = window.location
  const isConfigured = configured !== '' && (isNearby(hostname) || !isNearby(URL.parse(configured)?.hostname ?? ''))
  return (isConfigured ? configured : origin).replace(/\/+$/, '')
}

const isNearby = (hostname: string): boolean => /^(localhost|127\.|\[::1\])/.test(hostname)
