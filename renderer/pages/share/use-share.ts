import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type DeviceView, type GuestKeyView, guestKey } from '../../../shared/api/guest-key.ts'
import { type ShareCheck, type ShareView, share } from '../../../shared/api/share.ts'
import { send } from '../../api/client.ts'
import { areaOf } from '../../api/use-call.ts'
import { usePolled } from '../../api/use-polled.ts'

/** Polling interval while the page is visible, in milliseconds. */
const AGAIN_MS = 5000

export const useShare = (): UseQueryResult<ShareView> =>
  usePolled({
    queryKey: [areaOf(share.look), share.look.path],
    read: (manner) => send(share.look, {}, manner),
    everyMs: AGAIN_MS,
  })

export const useGuestKeys = (): UseQueryResult<GuestKeyView[]> =>
  usePolled({
    queryKey: [areaOf(guestKey.list), guestKey.list.path],
    read: (manner) => send(guestKey.list, {}, manner),
    everyMs: AGAIN_MS,
  })

export const useDevices = (): UseQueryResult<DeviceView[]> =>
  usePolled({
    queryKey: [areaOf(guestKey.devices), guestKey.devices.path],
    read: (manner) => send(guestKey.devices, {}, manner),
    everyMs: AGAIN_MS,
  })

/** Whether the open addresses reach this gateway: checked once for each set, and on demand. */
export const useChecks = (urls: readonly string[]): UseQueryResult<ShareCheck[]> =>
  useQuery({
    queryKey: ['share-checks', ...urls],
    queryFn: ({ signal }) => send(share.check, { body: {} }, { quiet: true, signal }),
    enabled: urls.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
