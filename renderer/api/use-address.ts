import { isNearAddress } from '../../shared/near-address.ts'
import { useStatus } from './status.ts'

/**
 * Where clients find the gateway: what the operator says, unless that is this machine and the console is open elsewhere, or
 * at another port of it: what was said once is not where the gateway is by now.
 */
export function useAddress(): string {
  const { server_address: said } = useStatus()
  const { origin, port } = location
  const isHere = !isNearAddress(said) || (isNearAddress(origin) && said.endsWith(`:${port}`))
  return (isHere && said) || origin
}
