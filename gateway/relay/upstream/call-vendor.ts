import { GatewayError } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json/json.ts'
import { withMembers } from '../../base/json/json-spans.ts'
import { whenKnown } from '../../base/maybe-promise.ts'
import type { ActiveChannel } from '../../channels/registry/active-channel.ts'
import type { Json } from '../formats/codec.ts'
import type { FetchMedia, MediaFetcher } from '../media/fetch.ts'
import type { AcceptedOrder, UpstreamReply } from '../model/answer.ts'
import { type Cancellation, CancellationSource, withAbortSignal } from '../model/cancellation.ts'
import type { DialTools, Provider, SentRequest, Target, UpstreamRequest } from '../providers/provider.ts'
import type { Pools } from './connection-pools.ts'
import { dial } from './dial.ts'
import { errorText, gatherJson, transportError } from './gather.ts'
import { callUpstream } from './upstream-call.ts'
import { errorInAnswer, readError, UpstreamError } from './upstream-error.ts'

/**
 * A request to a vendor. `unconverted` is the request before its conversion to the vendor's shape; `waits` in
 * milliseconds, those of the pools if absent; `accountId` owns the files of the response; `order` is absent if nothing
 * is charged.
 */
type VendorRequest = Readonly<{
  bytes: Buffer
  type: string
  accept: string
  unconverted?: Json
  waits?: Pools['waits']
  accountId?: number
  order?: AcceptedOrder | undefined
}>

/** `now` in unix milliseconds; `mediaFor` is absent if files of a response are not downloaded. */
export type VendorDeps = Readonly<{
  pools: Pools
  userAgent: string
  now: () => number
  mediaFor?: MediaFetcher['fetchFor']
}>

/**
 * One call to a vendor through its provider, which may sign it or use a separate transport. Throws network errors
 * unchanged, and `UpstreamError` for an invalid address.
 */
export async function callVendor(
  deps: VendorDeps,
  provider: Provider,
  target: Target,
  vendorRequest: VendorRequest,
  cancellation: Cancellation,
): Promise<UpstreamReply> {
  const { bytes: written, type, accept, waits = deps.pools.waits, accountId = 0, order } = vendorRequest
  const { channel } = target
  const { pools, userAgent } = deps
  const urlParts = pools.urlParts(provider.paths[target.endpoint]?.(target) ?? '')
  if (!urlParts) throw new UpstreamError(502, 'the address of the channel is not valid', { transport: true })
  const { origin, path } = urlParts
  const forced = provider.forcedMembers
    ? whenKnown(provider.forcedMembers(target, written), (members) => withMembers(written, members))
    : written
  const bytes = forced instanceof Promise ? await forced : forced
  const plain = {
    'content-type': type,
    accept,
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    ...provider.headers(target),
  }
  if (!provider.sign && !provider.dial) {
    const options = { origin, path, method: 'POST', headers: plain, body: bytes, ...waits } as const
    return callUpstream(await pools.for(origin, channel.setting.proxy), options, cancellation, true)
  }
  const tools = dialTools(deps, { waits, accountId, order }, channel, cancellation)
  return callSpecially(
    provider,
    target,
    { url: new URL(path, origin), bytes, headers: plain, original: vendorRequest.unconverted },
    tools,
  )
}

async function callSpecially(
  provider: Provider,
  target: Target,
  sent: SentRequest,
  tools: DialTools,
): Promise<UpstreamReply> {
  const { url, bytes, headers: plain } = sent
  const headers = provider.sign ? { ...plain, ...(await provider.sign(target, sent, tools)) } : plain
  if (provider.dial) return provider.dial(target, { ...sent, headers }, tools)
  return tools.request(url, { method: 'POST', headers, bytes })
}

/**
 * Timeout of a small auxiliary request, and of a socket's handshake
 * (docs/reference/channel-types.md#common-rules).
 */
const SHORT_MS = 5000

function dialTools(
  { pools, now, mediaFor }: VendorDeps,
  { waits, accountId, order }: Required<Pick<VendorRequest, 'waits' | 'accountId'>> & Pick<VendorRequest, 'order'>,
  channel: ActiveChannel,
  cancellation: Cancellation,
): DialTools {
  const { proxy } = channel.setting
  const request = async (
    url: URL,
    { method, headers, bytes }: UpstreamRequest,
    within = waits,
    caller = cancellation,
  ) =>
    callUpstream(
      await pools.for(url.origin, proxy),
      { origin: url.origin, path: url.pathname + url.search, method, headers, body: bytes ?? null, ...within },
      caller,
      true,
    )
  return {
    cancellation,
    now,
    idleMs: waits.bodyTimeout,
    request: (url, options) => request(url, options),
    requestJson: async (url, options) =>
      jsonOf(
        await request(url, options, { headersTimeout: SHORT_MS, bodyTimeout: SHORT_MS }, new CancellationSource()),
      ),
    fetchFiles: (addresses) =>
      withAbortSignal(cancellation, (signal) => filesAt(addresses, mediaFor?.(accountId), signal)),
    accepted: () => order?.accepted(),
    openSocket: ({ href }, headers) => dial({ pools, address: href, headers, proxy, waitMs: SHORT_MS, cancellation }),
  }
}

/** Max files of a response that are downloaded, all concurrently. */
const MAX_FILES = 10

async function filesAt(addresses: readonly string[], fetchMedia: FetchMedia | undefined, signal: AbortSignal) {
  const fetched = addresses.slice(0, MAX_FILES).map((address) => fetchMedia?.(address, signal))
  const files = await Promise.allSettled(fetched)
  signal.throwIfAborted()
  return files.map((file) => {
    if (file.status === 'fulfilled') return file.value?.data
    if (file.reason instanceof GatewayError) return undefined
    throw file.reason
  })
}

/** Max MiB of the response to an auxiliary request, which may be a finished chat. */
const MAX_MIB = 4

async function jsonOf(reply: UpstreamReply): Promise<JsonObject> {
  const { status } = reply
  if (status < 200 || status > 299) throw readError(status, await errorText(reply))
  const json = await gatherJson(reply, MAX_MIB)
  const error = errorInAnswer(json)
  if (error) throw error
  if (!isObject(json)) throw transportError(new Error('the answer could not be read'))
  return json
}
