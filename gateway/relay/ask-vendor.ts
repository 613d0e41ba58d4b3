import type { ActiveChannel } from '../channels/active-channel.ts'
import { exchange, type UpstreamReply } from './exchange.ts'
import type { Patience } from './patience.ts'
import type { Pools } from './pools.ts'
import type { DialTools, Provider, Target } from './providers/provider.ts'
import { UpstreamError } from './upstream-error.ts'

/** A body on its way to a vendor, and what is wanted back. `waits` in milliseconds, those of the pools where absent. */
export type Asking = Readonly<{ bytes: Buffer; type: string; accept: string; waits?: Pools['waits'] }>

export type VendorDeps = Readonly<{ pools: Pools; userAgent: string }>

/**
 * One call to a vendor as its provider makes it: signed where it signs, over a way of its own where it has one. Throws
 * what the network threw, and `UpstreamError` for an address that is none.
 */
export async function askVendor(
  { pools, userAgent }: VendorDeps,
  provider: Provider,
  target: Target,
  { bytes, type, accept, waits = pools.waits }: Asking,
  patience: Patience,
): Promise<UpstreamReply> {
  const { channel } = target
  const place = pools.place(provider.paths[target.endpoint]?.(target) ?? '')
  if (!place) throw new UpstreamError(502, 'the address of the channel is not valid', { transport: true })
  const { origin, path } = place
  const plain = {
    'content-type': type,
    accept,
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...provider.headers(target),
  }
  if (!provider.sign && !provider.dial) {
    const options = { origin, path, method: 'POST', headers: plain, body: bytes, ...waits } as const
    return exchange(pools.for(origin, channel.setting.proxy), options, patience)
  }
  const tools = dialTools(pools, waits, channel, patience)
  const sent = { url: new URL(path, origin), bytes, headers: plain }
  const headers = provider.sign ? { ...plain, ...(await provider.sign(target, sent, tools)) } : plain
  if (provider.dial) return provider.dial(target, { ...sent, headers }, tools)
  return tools.request(sent.url, { method: 'POST', headers, bytes })
}

const dialTools = (pools: Pools, waits: Pools['waits'], channel: ActiveChannel, patience: Patience): DialTools => ({
  patience,
  request: ({ origin, pathname, search }, { method, headers, bytes }) =>
    exchange(
      pools.for(origin, channel.setting.proxy),
      { origin, path: pathname + search, method, headers, body: bytes ?? null, ...waits },
      patience,
    ),
})
