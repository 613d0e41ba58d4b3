import { useQuery } from '@tanstack/react-query'
import { share } from '../../shared/api/share.ts'
import { isNearAddress } from '../../shared/near-address.ts'
import { send } from './client.ts'
import { useAddress } from './use-address.ts'

/**
 * The address to put into a link for other people (docs/reference/share.md#addresses-in-links), and whether they
 * can open it (undefined if unknown). Undefined while loading.
 */
export function useAddressForOthers(): Readonly<{ address: string; isForOthers: boolean | undefined }> | undefined {
  const here = useAddress()
  const isNear = isNearAddress(here)
  const { data, isError } = useQuery({
    queryKey: ['share', share.address.path],
    queryFn: ({ signal }) => send(share.address, {}, { signal, quiet: true }),
    enabled: isNear,
  })
  if (!isNear) return { address: here, isForOthers: true }
  if (data) return { address: data.url || here, isForOthers: data.url !== '' }
  return isError ? { address: here, isForOthers: undefined } : undefined
}
