import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type DeviceView, type GuestKeyView, guestKey } from '../../../shared/api/guest-key.ts'
import { type ShareCheck, type ShareView, share } from '../../../shared/api/share.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'

/** Between two looks while somebody is there; other devices come and go. */
const AGAIN_MS = 5000

/** How the gateway is shared. */
export const useShare = (): UseQueryResult<ShareView> =>
  useQuery({
    queryKey: [areaOf(share.look), share.look.path],
    queryFn: ({ signal }) => send(share.look, {}, { quiet: true, signal }),
    refetchInterval: AGAIN_MS,
  })

/** Guest keys, with what they have used. */
export const useGuestKeys = (): UseQueryResult<GuestKeyView[]> =>
  useQuery({
    queryKey: [areaOf(guestKey.list), guestKey.list.path],
    queryFn: ({ signal }) => send(guestKey.list, {}, { quiet: true, signal }),
    refetchInterval: AGAIN_MS,
  })

/** Who has called. */
export const useDevices = (): UseQueryResult<DeviceView[]> =>
  useQuery({
    queryKey: [areaOf(guestKey.devices), guestKey.devices.path],
    queryFn: ({ signal }) => send(guestKey.devices, {}, { quiet: true, signal }),
    refetchInterval: AGAIN_MS,
  })

/** Whether the open addresses lead to this gateway: asked once for each set of them, and again on demand. */
export const useChecks = (urls: readonly string[]): UseQueryResult<ShareCheck[]> =>
  useQuery({
    queryKey: ['share-checks', ...urls],
    queryFn: ({ signal }) => send(share.check, { body: {} }, { quiet: true, signal }),
    enabled: urls.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
