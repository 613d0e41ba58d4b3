import { isNearAddress } from '../../shared/near-address.ts'
import { useStatus } from './status.ts'

/**
 * The gateway's address for clients: the operator's setting, unless that names this machine and the console is open at
 * another host or port, in which case the setting is outdated.
 */
export function useAddress(): string {
  const { server_address: configured } = useStatus()
  const { origin, port } = location
  const isHere = !isNearAddress(configured) || (isNearAddress(origin) && configured.endsWith(`:${port}`))
  return (isHere && configured) || origin
}
