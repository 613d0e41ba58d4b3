import { useMutation } from '@tanstack/react-query'
import { channelRuns, type ProxyVerdict } from '../../../../shared/api/channel-runs.ts'
import { channelAddress } from '../../../../shared/channel-address.ts'
import { send } from '../../../api/client.ts'
import type { Draft } from './draft.ts'

/** A finding about the proxy of a draft; absent as soon as the proxy, the type or the address is another. */
type ProxyCheck = Readonly<{
  check: () => void
  isChecking: boolean
  verdict: ProxyVerdict | undefined
  /** Why the gateway would not ask at all. */
  error: Error | null
}>

/** Asks the gateway whether it reaches the vendor through the proxy; nothing is stored. A masked password is that of the channel. */
export function useProxyCheck({ proxy, type, baseUrl }: Draft, channelId: number | undefined): ProxyCheck {
  const { mutate, isPending, variables, data, error } = useMutation({
    mutationFn: (body: Asked) => send(channelRuns.verifyProxy, { body }, { quiet: true }),
  })
  const asked: Asked = {
    proxy: proxy.trim(),
    type,
    base_url: channelAddress({ type, base_url: baseUrl }).base,
    ...(channelId === undefined ? {} : { id: channelId }),
  }
  const isCurrent = variables !== undefined && isSame(variables, asked)
  return {
    check: () => mutate(asked),
    isChecking: isCurrent && isPending,
    verdict: isCurrent ? data : undefined,
    error: isCurrent ? error : null,
  }
}

type Asked = Readonly<{ proxy: string; type: number; base_url: string; id?: number }>

const isSame = (one: Asked, other: Asked): boolean =>
  one.proxy === other.proxy && one.type === other.type && one.base_url === other.base_url
